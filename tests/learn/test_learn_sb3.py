"""The environments in stable-baselines3, where it is installed; the training of examples/train_hover.py is slow."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from volery.learn.sb3 import Sb3VecEnv
from volery.learn.vector import DroneVectorEnv

TRAIN = Path(__file__).parent.parent.parent / "examples" / "train_hover.py"


def test_the_adapter_says_what_the_vector_does():
    ours, theirs = Sb3VecEnv(4, task="hover", seconds=0.4), DroneVectorEnv(
        4, task="hover", seconds=0.4, autoreset_mode="SameStep"
    )  # fmt: skip
    ours.seed(5)
    assert np.array_equal(ours.reset(), theirs.reset(seed=5)[0])
    cut = 0
    for _ in range(45):
        action = np.zeros((4, 4), np.float32)
        seen, reward, ended, infos = ours.step(action)
        other = theirs.step(action)
        assert np.array_equal(seen, other[0]) and np.array_equal(ended, other[2] | other[3])
        assert reward == pytest.approx(other[1])
        for i in np.flatnonzero(ended):
            assert np.array_equal(infos[i]["terminal_observation"], other[4]["final_obs"][i])
            assert infos[i]["TimeLimit.truncated"] == other[3][i]
            cut += int(other[3][i])
    assert cut >= 8
    assert ours.get_attr("num_envs") == [4] * 4 and ours.env_is_wrapped(object) == [False] * 4
    with pytest.raises(AttributeError, match="share"):
        ours.set_attr("num_envs", 3)


@pytest.mark.slow
def test_hovering_is_learnt():
    spec = importlib.util.spec_from_file_location("train_hover", TRAIN)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    model, curve = script.train(seed=1, steps=script.STEPS)
    returns = [row[1] for row in curve]
    assert returns[0] < 20.0 and max(returns) > 0.9 * script.STATED
    assert script.evaluate(model).mean() >= script.STATED
