"""What mypy still finds in the modules that pyproject.toml exempts: scripts/types_left.py [--write].

Prints modules with their numbers of errors; --write makes the list anew, which may only get shorter.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_LIST = re.compile(r"^(module = \[ # the list gets shorter[^\n]*\n)(.*?)(^\]\n)", re.MULTILINE | re.DOTALL)


def errors() -> Counter[str]:
    """Errors by module, as if none was exempt."""
    text = (ROOT / "pyproject.toml").read_text()
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(_LIST.sub(r'\1    "volery._none",\n\3', text))
        file.flush()
        words = [sys.executable, "-m", "mypy", "--config-file", file.name, "--no-error-summary"]
        words += ["--cache-dir", str(ROOT / ".mypy_cache" / "all")]
        told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found = re.findall(r"^src/([^:]+?)(?:/__init__)?\.pyi?:\d+: error: ", told, re.MULTILINE)
    return Counter(path.replace("/", ".") for path in found)


def listed() -> list[str]:
    """The modules that are exempt."""
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    return next(o["module"] for o in overrides if o.get("ignore_errors"))


def main() -> None:
    """Print, or write the list."""
    found = errors()
    for module, count in found.most_common():
        print(f"{count:4} {module}{'' if module in listed() else '   (not exempt)'}")
    print(f"{sum(found.values())} errors in {len(found)} modules")
    if "--write" in sys.argv:
        lines = "".join(f'    "{module}",\n' for module in sorted(found))
        file = ROOT / "pyproject.toml"
        file.write_text(_LIST.sub(lambda m: f"{m[1]}{lines}{m[3]}", file.read_text()))


if __name__ == "__main__":
    main()
