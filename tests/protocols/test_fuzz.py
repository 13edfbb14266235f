"""Decoders of others' bytes, fed with the corpus that is kept, whole and mutated; `make fuzz` feeds each by coverage
for half a minute, in CI too."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "fuzz"
sys.path.insert(0, str(FOLDER))

from decoders import DECODERS  # noqa: E402

from volery.errors import VoleryError  # noqa: E402

MUTATIONS = 300


def feed(decoder, data):
    """The decoder takes the bytes or refuses them in words."""
    try:
        decoder(data)
    except VoleryError as error:
        assert str(error)


def mutated(data, chance):
    """The bytes with some changed, left out or doubled."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(out) + 1)
        choice = chance.randrange(4)
        if choice == 0 and at < len(out):
            out[at] = chance.randrange(256)
        elif choice == 1:
            del out[at : at + chance.randrange(8)]
        elif choice == 2:
            out[at:at] = out[at : at + chance.randrange(16)]
        else:
            out[at:at] = bytes([chance.choice(b"\x00\xff\x80\x7f{}[]()<>,;:\n\"'*&")])
    return bytes(out)


@pytest.mark.parametrize("name", DECODERS)
def test_the_corpus_and_its_mutations_are_taken_or_refused(name):
    files = sorted((FOLDER / "corpus" / name).iterdir())
    assert files, "each decoder has a corpus"
    chance = random.Random(name)
    for file in files:
        feed(DECODERS[name], file.read_bytes())
    for _ in range(MUTATIONS):
        feed(DECODERS[name], mutated(chance.choice(files).read_bytes(), chance))


@pytest.mark.parametrize("name", DECODERS)
def test_something_of_the_corpus_is_accepted(name):
    """A decoder that refuses everything would never be tested."""

    def accepted(data):
        try:
            DECODERS[name](data)
        except VoleryError:
            return False
        return True

    assert any(accepted(file.read_bytes()) for file in (FOLDER / "corpus" / name).iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", DECODERS)
def test_ten_minutes_by_coverage_find_nothing(name):
    done = subprocess.run([FOLDER.parent.parent / "scripts" / "fuzz", "600", name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
