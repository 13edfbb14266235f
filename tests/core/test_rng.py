"""Named generators: independent, reproducible, and able to continue after a snapshot."""

import hashlib

import numpy as np
import pytest

from volery.core.rng import Generators, generator
from volery.core.state import decode, encode

DRAWS = [
    lambda g: g.normal(size=7),
    lambda g: g.random(3, dtype=np.float32),
    lambda g: g.integers(0, 10, 5, dtype=np.uint32),
    lambda g: g.permutation(9),
]


def test_same_seed_and_name_give_the_same_numbers():
    np.testing.assert_array_equal(generator(7, "uav1/imu").normal(size=100), generator(7, "uav1/imu").normal(size=100))


def test_generator_is_philox_keyed_by_the_hash_of_seed_and_name():
    key = hashlib.blake2b(b"42/uav1/scanner", digest_size=16).digest()
    expected = np.random.Generator(np.random.Philox(key=int.from_bytes(key, "little")))
    np.testing.assert_array_equal(generator(42, "uav1/scanner").normal(size=9), expected.normal(size=9))


@pytest.mark.parametrize("other", [(8, "uav1/imu"), (7, "uav1/imv"), (7, "uav2/imu"), (-7, "uav1/imu"), (7, "")])
def test_another_seed_or_name_gives_uncorrelated_numbers(other):
    a, b = generator(7, "uav1/imu").normal(size=20_000), generator(*other).normal(size=20_000)
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.035


def test_a_generator_does_not_notice_what_others_draw_or_when_they_were_made():
    alone, crowd = Generators(5), Generators(5)
    crowd.named("wind").normal(size=1000)
    expected = [alone.named("uav1/gps").random() for _ in range(10)]
    found = []
    for _ in range(10):
        crowd.named("uav1/imu").normal(size=3)
        found.append(crowd.named("uav1/gps").random())
    assert found == expected


def test_a_name_continues_its_sequence():
    run = Generators(1)
    first, second = run.named("a").random(), run.named("a").random()
    assert [first, second] == generator(1, "a").random(2).tolist()


@pytest.mark.parametrize("draw", DRAWS)
def test_snapshot_and_restore_continue_the_sequence(draw):
    run = Generators(3)
    run.named("a").random(3, dtype=np.float32)  # leaves half a word in the buffer
    run.named("b").normal(size=5)
    kept = decode(encode(run.state()))
    expected = [draw(run.named(name)) for name in ("a", "b", "c")]
    again = Generators(99)
    again.restore(kept)
    for name, numbers in zip(("a", "b", "c"), expected, strict=True):
        np.testing.assert_array_equal(draw(again.named(name)), numbers)


def test_a_snapshot_does_not_change_when_the_run_goes_on():
    run = Generators(3)
    run.named("a").random()
    kept = run.state()
    before = encode(kept)
    run.named("a").random(100)
    assert encode(kept) == before


def test_restore_drops_generators_that_were_not_in_the_snapshot():
    run = Generators(3)
    kept = run.state()
    first = run.named("a").random()
    run.restore(kept)
    assert run.named("a").random() == first


def test_forget_starts_one_robots_generators_anew_and_leaves_the_others():
    run = Generators(3)
    first = run.named("uav1/imu").random()
    run.named("uav10/imu").random()
    run.named("uav1").random()
    run.forget("uav1")
    assert sorted(run.state()["generators"]) == ["uav1", "uav10/imu"]
    assert run.named("uav1/imu").random() == first
