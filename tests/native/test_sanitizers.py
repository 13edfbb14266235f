"""The native core under AddressSanitizer and UndefinedBehaviorSanitizer: the short form of `make sanitize`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def has_sanitizers():
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        return False
    found = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True)
    return Path(found.stdout.strip()).is_absolute()


@pytest.mark.skipif(not has_sanitizers(), reason="no compiler with AddressSanitizer here: apt-get install g++")
def test_kernels_are_clean_under_sanitizers():
    tests = sorted(str(path) for path in (ROOT / "tests" / "native").glob("test_native_*.py"))
    done = subprocess.run(
        [ROOT / "scripts" / "sanitize", *tests],
        capture_output=True, text=True, timeout=900, cwd=ROOT, env={**os.environ, "PYTHON": sys.executable},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert " passed" in done.stdout
