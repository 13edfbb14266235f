"""`volery bench` and `volery doctor`."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import json
from pathlib import Path

from volery.errors import SimulationError
from volery.report.doctor import diagnose

__all__ = ["bench", "doctor"]


def bench(options: argparse.Namespace) -> int:
    """Measure, and print a table or JSON."""
    from volery.tools.bench import bench as find

    if options.name == "all":
        return _bench_all(options)
    module = find(options.name)
    if options.out and not Path(options.out).absolute().parent.is_dir():
        raise SimulationError(f"--out {options.out}: there is no such folder; make it first")
    result = module.run(quick=options.quick, peers=not options.no_peers)
    if options.out:
        Path(options.out).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2) if options.json else module.table(result))
    return 0


def _bench_all(options: argparse.Namespace) -> int:
    """Measure all there is; page, JSON and history go to a folder. Exit code 1 if a benchmark failed."""
    from volery.tools.bench.whole import measure_all, performance_table, write_all

    folder = Path(options.out or "benchmarks")
    if folder.is_file():
        raise SimulationError(f"--out {folder}: must be a folder for `bench all`, and is a file")
    result = measure_all(
        quick=options.quick, peers=not options.no_peers, say=lambda name: print(f"measuring {name} …", flush=True)
    )
    files = write_all(result, folder)
    print(json.dumps(result, indent=2) if options.json else f"\n{performance_table(result)}")
    failed = {name: own["error"] for name, own in result["benches"].items() if "error" in own}
    for name, error in failed.items():
        print(f"{name} failed: {error}")
    print(f"{folder}: {', '.join(file.name for file in files)}")
    return 1 if failed else 0


def doctor(options: argparse.Namespace) -> int:
    """Check this machine; exit code 1 if something needed is missing."""
    findings = diagnose()
    for finding in findings:
        print(f"{'ok ' if finding.good else 'BAD' if finding.needed else '-  '} {finding.what}: {finding.text}")
    return 1 if any(f.needed and not f.good for f in findings) else 0
