"""Environments for learning: one drone, a hundred at once, and sixteen that see a forest by depth pictures."""

import gymnasium
import numpy as np

import volery.learn  # noqa: F401 (registers the environments)

env = gymnasium.make("volery/Hover-v0")
seen, _ = env.reset(seed=1)
total = 0.0
for _ in range(100):
    # Thrust and rates of -1 to 1; 0 is the drone's weight and no turning
    way, v, w = seen[:3], seen[6:9], seen[9:12]
    seen, reward, terminated, truncated, info = env.step(np.clip([way[2] - v[2], *-0.2 * w], -1, 1))
    total += reward
    if terminated or truncated:
        break
print(f"one drone that only minds its height: {total:.1f} in {_ + 1} steps")

many = gymnasium.make_vec("volery/Hover-v0", num_envs=100, vectorization_mode="vector_entry_point")
many.reset(seed=1)
ended = 0
for _ in range(100):
    seen, reward, terminated, truncated, info = many.step(many.action_space.sample() * 0)
    ended += int(terminated.sum())
print(f"a hundred that do nothing: {ended} episodes were lost in two seconds")

forest = gymnasium.make_vec("volery/ForestNavigation-v0", num_envs=16, vectorization_mode="vector_entry_point")
seen, _ = forest.reset(seed=1)
print("depth", seen["depth"].shape, "state", seen["state"].shape)
near = seen["depth"].min(axis=(1, 2))
print(f"the nearest thing ahead of a drone is {near.min():.1f} to {near.max():.1f} m away")
