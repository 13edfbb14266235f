"""Writes tests/quick.txt, the files of `make check`, and tests/variants.txt, what `make test` leaves to `make slow`:
scripts/test_times.py report.xml.

The report is what `make test ARGS=--junitxml=report.xml` writes on a quiet machine. The quickest files are taken as
long as all together stay within the time. Of a test with parameters, `make test` runs the first ones, and all others
that are quick; in tests of others' clients, all.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

_ALL, _EACH = 100.0, 5.0
"""Seconds of one core, together and of one file."""
_LONG = 1.0
"""Seconds from which on a variant of a test is left to `make slow`."""
_CLIENTS = {"test_mavlink_clients", "test_airsim_client", "test_airsim_cosys"}
_TESTS = Path(__file__).resolve().parent.parent / "tests"
_QUICK = "# The files of `make check`, with their seconds on one core; scripts/test_times.py writes them.\n"
_VARIANTS = "# Variants of tests that `make slow` runs and `make test` does not; scripts/test_times.py writes them.\n"


def seconds(report: Path) -> dict[tuple[str, str], float]:
    """What each test took, by module and name, in their order."""
    return {
        (_module(case.get("classname", "")), case.get("name", "")): float(case.get("time", "0"))
        for case in ET.parse(report).iter("testcase")
    }


def _module(path: str) -> str:
    """The file in the dotted path of a test."""
    return next((part for part in path.split(".") if part.startswith("test_")), path)


def quick(took: dict[tuple[str, str], float]) -> list[str]:
    """Lines of the quickest files."""
    files: dict[str, float] = defaultdict(float)
    for (module, _), s in took.items():
        files[f"{module}.py"] += s
    chosen, total = [], 0.0
    for name, s in sorted(files.items(), key=lambda item: item[1]):
        if s > _EACH or total + s > _ALL:
            break
        total += s
        chosen.append(f"{s:.1f} {name}\n")
    return sorted(chosen, key=lambda line: line.split()[1])


def long_variants(took: dict[tuple[str, str], float], known: list[str]) -> list[str]:
    """Lines of variants that are long; those known from before stay."""
    first: set[tuple[str, str]] = set()
    chosen = set(known)
    for (module, name), s in took.items():
        test = module, name.split("[")[0]
        if test in first and s > _LONG and module not in _CLIENTS and "\n" not in name:
            chosen.add(f"{module}::{name}\n")
        first.add(test)
    return sorted(chosen)


def main() -> None:
    """Choose, and write."""
    took = seconds(Path(sys.argv[1]))
    path = _TESTS / "variants.txt"
    known = path.read_text().splitlines(keepends=True)[1:] if path.exists() else []
    (_TESTS / "quick.txt").write_text(_QUICK + "".join(quick(took)))
    path.write_text(_VARIANTS + "".join(long_variants(took, known)))


if __name__ == "__main__":
    main()
