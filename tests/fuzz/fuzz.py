"""fuzz.py DECODER SECONDS: feeds a decoder by coverage (atheris, libFuzzer), from the corpus that is kept; what it
finds new stays in build/fuzz. Ends with an error and the bytes, if the decoder raises what it must not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["volery", "decoders"], enable_loader_override=False):
    from decoders import DECODERS

    from volery.errors import VoleryError

HERE = Path(__file__).parent


def main(name: str, seconds: str) -> None:
    """Fuzz for so long."""
    found = HERE.parent.parent / "build" / "fuzz" / name
    found.mkdir(parents=True, exist_ok=True)
    decoder = DECODERS[name]

    def one(data: bytes) -> None:
        try:
            decoder(data)
        except VoleryError:
            return

    options = [f"-max_total_time={seconds}", "-max_len=2048", "-timeout=10", "-rss_limit_mb=4096", "-verbosity=0"]
    # CI gives a seed: what it finds is found again.
    options += [f"-seed={os.environ['FUZZ_SEED']}"] if "FUZZ_SEED" in os.environ else []
    options += [f"-artifact_prefix={found}-", str(found), str(HERE / "corpus" / name)]
    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
