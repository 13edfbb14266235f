"""`volery campaign`: many runs, on all cores or on a Ray cluster, and one report."""

# ruff: noqa: T201

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from volery.campaign.plan import Campaign, CampaignRun, load_campaign
from volery.campaign.pool import Slot, run_all
from volery.campaign.results import Results
from volery.campaign.worker import Worker
from volery.errors import CampaignError
from volery.report.against import changes, changes_html, changes_text, read_report
from volery.report.campaign import Sheet, failure_lines, text_table, write_campaign

__all__ = ["campaign"]

_TERMINAL, _FILE = 0.2, 10.0
"""Between two lines of progress, on a screen and elsewhere [s]."""
_TICK = 1.0
"""Between two lines on a screen while no run ends [s]."""
_BAR = 30


def campaign(options: argparse.Namespace) -> int:
    """Run what is not done yet; exit code 1 if a run failed or a measure got worse, 130 after Ctrl-C."""
    if options.jobs is not None and options.jobs < 1:
        raise CampaignError(f"--jobs {options.jobs}: must be 1 or more")
    plan = load_campaign(options.file)
    if options.print is not None:
        return _print(plan, options.print)
    before = None if options.against is None else read_report(options.against)
    folder = Path(options.out or Path("out") / f"campaign-{plan.name}")
    with Results(folder) as results:
        todo = [run for run in plan.runs if _to_do(results.rows.get(run.key), options.retry)]
        done = len(plan.runs) - len(todo)
        print(f"{plan.name}: {len(plan.runs)} runs" + (f", {done} done before" if done else ""), flush=True)
        stopped = bool(todo) and _run(plan, todo, results, options)
        sheet = _sheet(plan, results)
        found = [] if before is None else changes(sheet, before, plan.file.better)
        files = write_campaign(sheet, folder, changes_html(found) if found else "")
    print(f"\n{text_table(sheet)}\n\n{folder}: {', '.join(f.name for f in files)}")
    for line in failure_lines(sheet)[:10]:
        print(line)
    if found:
        print(f"\n{changes_text(found)}")
    if stopped:
        print(f"stopped after {len(sheet.rows)} of {len(plan.runs)} runs; the same command goes on from here")
        return 130
    return 1 if sheet.failed or any(change.verdict == "worse" for change in found) else 0


def _print(plan: Campaign, number: int) -> int:
    """The scenario of a run, such as one that failed, for `volery run`."""
    if not 1 <= number <= len(plan.runs):
        raise CampaignError(f"--print {number}: the campaign has runs 1 to {len(plan.runs)}")
    print(plan.runs[number - 1].text, end="")
    return 0


def _to_do(row: dict[str, Any] | None, retry: bool) -> bool:
    return row is None or (retry and "error" in row)


def _run(plan: Campaign, todo: list[CampaignRun], results: Results, options: argparse.Namespace) -> bool:
    """Run all that is to do; whether Ctrl-C ended it before."""
    make, jobs, close = _slots(options, len(todo))
    progress = _Progress(len(plan.runs), len(plan.runs) - len(todo))
    rows = run_all(plan, todo, make, jobs)
    progress.begin()
    try:
        for run, answer in rows:
            results.append({"key": run.key, "values": run.values, "seed": run.seed, **answer})
            progress.tell("error" in answer)
    except KeyboardInterrupt:
        return True
    finally:
        rows.close()
        close()
        progress.end()
    return False


def _slots(options: argparse.Namespace, runs: int) -> tuple[Callable[[], Slot], int, Callable[[], None]]:
    """What makes workers, how many, and what ends their connection."""
    if options.ray is not None:
        from volery.campaign.rayed import open_ray

        return open_ray(options.ray, options.jobs, options.threads)
    cores = os.cpu_count() or 1
    jobs = min(options.jobs or max(1, cores // (options.threads or 1)), runs)
    threads = options.threads or max(1, cores // jobs)
    return (lambda: Worker(threads)), jobs, lambda: None


def _sheet(plan: Campaign, results: Results) -> Sheet:
    """Rows of the plan's runs that are done, in its order."""
    rows = [
        {**results.rows[run.key], "number": run.number, "values": run.values, "seed": run.seed}
        for run in plan.runs
        if run.key in results.rows
    ]
    return Sheet(plan.name, plan.file.about, plan.file.scenario, len(plan.runs), rows, plan.file.show)


class _Progress:
    """A bar that follows the campaign."""

    def __init__(self, total: int, before: int) -> None:
        self._total, self._before, self._done, self._failed = total, before, before, 0
        self._live = sys.stdout.isatty()
        self._began = time.monotonic()
        self._told = 0.0
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="progress", daemon=True)

    def begin(self) -> None:
        """Show the bar at once, and from then on also while no run ends."""
        self._show(time.monotonic())
        self._ticker.start()

    def tell(self, failed: bool) -> None:
        """One more is done."""
        with self._lock:
            self._done += 1
            self._failed += failed
        now = time.monotonic()
        if now - self._told >= (_TERMINAL if self._live else _FILE) or self._done == self._total:
            self._show(now)

    def end(self) -> None:
        """Leave the bar where it is."""
        self._ended.set()
        if self._ticker.is_alive():
            self._ticker.join()
        if self._live:
            print()

    def _tick(self) -> None:
        while not self._ended.wait(_TICK if self._live else _FILE):
            self._show(time.monotonic())

    def _show(self, now: float) -> None:
        with self._lock:
            self._told = now
            print(("\r" if self._live else "") + self._line(now), end="" if self._live else "\n", flush=True)

    @staticmethod
    def _bar(share: float) -> str:
        return "█" * round(_BAR * share) + "·" * (_BAR - round(_BAR * share))

    def _line(self, now: float) -> str:
        share = self._done / self._total
        rate = (self._done - self._before) / max(now - self._began, 1e-9)
        if self._done == self._before:
            return f"{self._bar(share)} {self._done}/{self._total}, {now - self._began:.0f} s, no run has ended yet "
        left = (self._total - self._done) / max(rate, 1e-9)
        failed = f", {self._failed} failed" if self._failed else ""
        pace = f"{rate:.1f} runs/s, {left / 60:.0f}:{left % 60:02.0f} left"
        return f"{self._bar(share)} {self._done}/{self._total}{failed}, {pace} "
