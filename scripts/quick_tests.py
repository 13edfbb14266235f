"""Writes tests/quick.txt, the files of `make check`: scripts/quick_tests.py [report.xml].

The report is what `make test ARGS=--junitxml=report.xml` writes on a quiet machine. The quickest files are taken as
long as all together stay within the time.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

_ALL, _EACH = 100.0, 5.0
"""Seconds of one core, together and of one file."""
_FILE = Path(__file__).resolve().parent.parent / "tests" / "quick.txt"
_HEAD = """\
# The files of `make check`, with their seconds on one core; scripts/quick_tests.py writes them.
"""


def seconds(report: Path) -> dict[str, float]:
    """What each file took, by name."""
    took: dict[str, float] = defaultdict(float)
    for case in ET.parse(report).iter("testcase"):
        module = case.get("classname", "").removeprefix("tests.").split(".")[0]
        took[f"{module}.py"] += float(case.get("time", "0"))
    return took


def main() -> None:
    """Choose, and write."""
    chosen, total = [], 0.0
    for name, took in sorted(seconds(Path(sys.argv[1])).items(), key=lambda item: item[1]):
        if took > _EACH or total + took > _ALL:
            break
        total += took
        chosen.append(f"{took:.1f} {name}\n")
    _FILE.write_text(_HEAD + "".join(sorted(chosen, key=lambda line: line.split()[1])))
    print(f"{len(chosen)} files, {total:.0f} s")


if __name__ == "__main__":
    main()
