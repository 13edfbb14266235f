"""Results of benchmarks as text for people."""

from __future__ import annotations

from typing import Any

__all__ = ["cells_table", "peer_lines"]


def cells_table(what: str, columns: dict[str, dict[str, float]]) -> list[str]:
    """Lines of a table: a row for each key, a column of milliseconds for each world."""
    keys = next(iter(columns.values()))
    width = max(len(what), *(len(key) for key in keys))
    lines = [f"{what:>{width}} " + " ".join(f"{name:>12}" for name in columns)]
    return lines + [f"{k:>{width}} " + " ".join(f"{cells[k]:12.2f}" for cells in columns.values()) for k in keys]


def peer_lines(world: str, by: str, beside: dict[str, Any], agreement: str) -> list[str]:
    """Lines about one world: our milliseconds, and how many times longer each library takes on the same triangles."""
    reach = beside["within_m"]
    reach = reach if isinstance(reach, str) else f"what is within {reach:g} m of the drone"
    lines = [f"{world}, the same {beside['triangles']:,} triangles for all ({reach}): ours is faster by a factor of"]
    rows = {**beside[f"by_{by}"], **{f"{count} drones": cell for count, cell in beside["by_drones"].items()}}
    names = list(next(iter(rows.values()))["times_faster"])
    width = max(len(by), *(len(row) for row in rows))
    lines.append(f"{by:>{width}} {'ours ms':>10} " + " ".join(f"{name:>{max(len(name), 8)}}" for name in names))
    for row, cell in rows.items():
        for kind, key in (("ours", "times_faster"), ("plain", "plain_times_faster")):
            if key in cell:
                ratios = " ".join(f"{cell[key][name]:{max(len(name), 8)}.1f}" for name in names)
                mark = row if kind == "ours" else kind
                lines.append(f"{mark:>{width}} {cell[f'{kind}_ms']:10.2f} {ratios}")
    shares = " ".join(f"{beside[agreement].get(name, float('nan')):{max(len(name), 8)}.1%}" for name in names)
    lines.append(f"{'same':>{width}} {'':10} {shares}")
    return lines + [f"  {name}: {error}" for name, error in beside["missing"].items()]
