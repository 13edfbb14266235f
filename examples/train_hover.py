"""Trains a drone to hover: stable-baselines3's PPO on 64 drones at once. Needs: pip install volery[train]

    python examples/train_hover.py                 # minutes on one core; curve and policy go to out/

With the default seed the mean return of 20 episodes that were not trained on is STATED or more, of 500 at most; the
curve is shown in docs/learning.md.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from volery.learn.sb3 import Sb3VecEnv
from volery.report.chart import curves

STEPS, DRONES, STATED = 1_000_000, 64, 450.0


class Curve(BaseCallback):
    """Notes the mean return of the last hundred episodes after every collection of experience."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[int, float, float]] = []
        self._began = time.process_time()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        returns = [episode["r"] for episode in self.model.ep_info_buffer]
        if returns:
            row = self.num_timesteps, float(np.mean(returns)), time.process_time() - self._began
            self.rows.append(row)
            print(f"{row[0]:9,} steps  return {row[1]:6.1f}  {row[2]:5.0f} s of processor time", flush=True)


def train(seed: int, steps: int) -> tuple[PPO, list[tuple[int, float, float]]]:
    """A policy, and its curve: steps, mean return, processor time [s]."""
    # One thread: a network this small gains nothing by more, and the same seed gives the same curve
    torch.set_num_threads(1)
    env = VecMonitor(Sb3VecEnv(DRONES, task="hover"))
    model = PPO(
        "MlpPolicy", env, n_steps=64, batch_size=1024, n_epochs=6, learning_rate=lambda left: 1e-3 * left + 1e-5,
        gamma=0.98, gae_lambda=0.95, ent_coef=0.0, seed=seed, device="cpu",
        policy_kwargs={"net_arch": [64, 64], "log_std_init": -0.7},
    )  # fmt: skip
    curve = Curve()
    model.learn(steps, callback=curve)
    return model, curve.rows


def evaluate(model: PPO, episodes: int = 20) -> np.ndarray:
    """Returns of episodes from seeds that were not trained on, [episodes]."""
    env = Sb3VecEnv(episodes, task="hover")
    env.seed(10_000)
    seen, total, going = env.reset(), np.zeros(episodes), np.ones(episodes, bool)
    while going.any():
        seen, reward, ended, _ = env.step(model.predict(seen, deterministic=True)[0])
        total += reward * going
        going &= ~ended
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="train a drone to hover")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", default="out", help="folder of the curve and the policy (default: out)")
    options = parser.parse_args()
    model, rows = train(options.seed, options.steps)
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "hover.csv", "w", newline="") as file:
        csv.writer(file).writerows([("steps", "return", "processor_s"), *rows])
    model.save(folder / "hover.zip")
    returns = evaluate(model)
    steps, curve, _ = (np.array(column) for column in zip(*rows, strict=True))
    title = f"Hover, PPO, seed {options.seed}: mean return of the last 100 episodes"
    levels = {"best that can be": 500.0, f"{len(returns)} new episodes after it": float(returns.mean())}
    chart = curves(title, steps / 1e3, {"return": curve}, unit="return", levels=levels, over="thousand steps")
    (folder / "hover.svg").write_text(chart)
    print(f"seed {options.seed}: {returns.mean():.1f} (least {returns.min():.1f}) over {len(returns)} new episodes")
