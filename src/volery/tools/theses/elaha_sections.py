"""The parts of `volery report elaha`: tables, drawings and pictures, each with what the thesis has in its place."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

import numpy as np

from volery.report.chart import curves
from volery.sensors.encode import encode as encode_picture
from volery.tools.theses.chapter_page import ReportSection
from volery.tools.theses.elaha import Evaluation, numbers, rise
from volery.tools.theses.elaha_cube import MASS, cube_pictures
from volery.tools.theses.elaha_frames import FRAME_MS
from volery.tools.theses.elaha_query import THESIS
from volery.tools.theses.elaha_scans import Scanned
from volery.tools.theses.relief import relief
from volery.world.atmosphere import GRAVITY

__all__ = ["TITLE", "sections"]

TITLE = "Evaluation of the ELAHA platform, made again with Volery"
PUBLISHED_HZ = "61.9 to 62.2 Hz"
"""As the thesis states it."""
_PARTS = {"pose": "pose", "bones": "22 bones", "scan": "box scan", "wrench": "collision"}


def sections(found: Evaluation) -> list[ReportSection]:
    """All parts in order."""
    said = numbers(found)
    surfaces = [_surfaces(found, said)]
    return [
        _frames(said["frames"], said["bus"]), _cone(found.cone, said["cone"]), _ruin(found.ruin, said["ruin"]),
        *surfaces, _query(said["query"]),
        *(_cube(case, series, said["cubes"][case]) for case, series in found.cubes.items()),
        _bandwidth(said["bus"]), _gusts(found),
    ]  # fmt: skip


def _frames(said: dict[str, Any], bus: dict[str, Any]) -> ReportSection:
    rows, charts = [], []
    for world, cells in said["worlds"].items():
        for variant, c in cells.items():
            numbers_ = (c["min_ms"], c["median_ms"], c["p99_ms"], c["max_ms"], c["processor_ms"])
            rows.append([f"{world}: {variant}", *(f"{v:.2f}" for v in numbers_), f"{100 * c['within']:.1f} %"])
        series = {v: np.concatenate(c["frames_ms"]) for v, c in cells.items()}
        n = len(next(iter(series.values())))
        title = f"Frames in the {world} world, {said['rounds']} × {said['frames']}"
        numbered = np.arange(n, dtype=float)
        charts.append(curves(title, numbered, series, unit="ms", levels={"100 Hz": FRAME_MS}, over="frames"))
    same = all(len(c["states"]) == 1 for cells in said["worlds"].values() for c in cells.values())
    drawn = all(
        cells["scanner"]["states"] == cells["scanner and drawing"]["states"] for cells in said["worlds"].values()
    )
    busy = f"When it began the load of the machine was {said['load']:.1f}: other programs take from frames, too."
    state = "The state after each round was the same to the byte" if same else "Rounds ended in different states"
    also = ", also with and without the listener." if drawn else "; the listener changed it."
    return ReportSection(
        "Frame durations",
        "A frame is a step of 10 ms with everything in it: the elastic aircraft by its own model with contact, and a "
        "box scan of 15,606 rays at every frame. Drawing: every scan also goes over the bus to another process, which "
        "makes green and red lines of it as the viewer's page does; the page itself draws in the browser and takes "
        "nothing from a frame. Camera: beside the scan a colour picture of 320 × 240 from the cockpit is drawn inside "
        f"every frame. {state}{also} {busy}",
        "3 × 500 frames each in the same worlds and variants, drawn by a game engine, its debug lines inside the "
        f"frame. Its step was to be 100 Hz; its topics were published at {PUBLISHED_HZ}. Here, between two processes "
        f"asked for 100 a second: {bus['at_100_hz']['bus']['updates_per_s']:g} updates/s.",
        ["world: variant", "least [ms]", "median", "99 %", "longest", "processor [ms]", "within 10 ms"],
        rows, figures=tuple(charts),
    )  # fmt: skip


def _query(said: dict[str, Any]) -> ReportSection:
    rows = [
        ["penetration [m]", f"{THESIS['penetration']:g}", f"{said['penetration']:.6f}"],
        ["points inside", f"{THESIS['points']}", f"{said['points']}"],
        ["force, 25 points of unit stiffness", f"{THESIS['force']:.6f}", f"{said['force']:.6f}"],
        ["largest torque", f"{THESIS['torque']:.0e}", f"{said['torque']:.1e}"],
        ["time of a question [ms]", f"{THESIS['query_ms']:g}", f"{said['query_ms']:.3f}"],
    ]
    return ReportSection(
        "Collision: one question",
        "A cube of 1 m sunk 0.02 m into flat ground, of which it knows what its own scanner's 5 × 5 rays below it "
        "tell; the exact force is 25 · 0.02 = 0.5, and no torque. The time is the median of 200 questions to the "
        "contact, which here also finds the surface between the points.",
        "the middle column, asked of its collision library.",
        ["", "thesis", "here"], rows,
    )  # fmt: skip


def _cone(scan: Scanned, said: dict[str, Any]) -> ReportSection:
    drawing = relief("a cone", scan.points[0], scan.eye, scan.occupied[0])
    return ReportSection(
        "Scanner over a cone",
        "The face below of a box scan 20 m over flat ground with a cone of radius 12 m and height 9 m, as another "
        "session on the bus received it. The exact height at each ray is that of the cone's 48 sides.",
        "its figure 37 shows such a scan of a cone; how far points were off is not stated.",
        ["", "rays", "occupied", "highest [m]", "worst ray off [mm]"],
        [["cone", f"{said['rays']:,}", f"{said['occupied']:,}", f"{said['high']:.3f}", f"{said['worst_mm']:.3f}"]],
        figures=(_pair(drawing, _image(scan.picture, "the camera's picture")),),
    )  # fmt: skip


def _ruin(scan: Scanned, said: dict[str, Any]) -> ReportSection:
    red, green = (_dotted(scan, show, colour) for show, colour in ((scan.occupied, (255, 40, 30)),
                                                                   (~scan.occupied, (40, 220, 80))))  # fmt: skip
    return ReportSection(
        "Scanner in the ruin",
        "All six faces, 25 m each way, beside the ruined tower: where rays ended on something, and where they ended "
        "free, as far as the camera sees these places.",
        "pictures of green and red rays in its ruin; counts are not stated. Its rays did not see the back of a "
        "surface, so that it was blind inside of closed bodies; here rays that begin inside say so.",
        ["", "rays", "occupied", "lowest [m]", "highest [m]"],
        [["ruin", f"{said['rays']:,}", f"{said['occupied']:,}", f"{said['low']:.2f}", f"{said['high']:.2f}"]],
        figures=(_pair(_image(red, "rays that ended on something"), _image(green, "rays that ended free")),),
    )  # fmt: skip


def _surfaces(found: Evaluation, said: dict[str, Any]) -> ReportSection:
    rows, figures = [], []
    for place, scan in found.surfaces:
        s = said["surfaces"][place.name]
        values = (2 * place.reach, 2 * place.reach / 50, s["low"], s["median"], s["high"])
        rows.append([place.name, f"{s['occupied']:,} of {s['rays']:,}", *(f"{v:.2f}" for v in values)])
        drawing = relief(place.name, scan.points[0], scan.eye, scan.occupied[0])
        figures.append(_pair(drawing, _image(scan.picture, f"{place.name}: the camera's picture")))
    return ReportSection(
        "Surfaces from received scans",
        "51 × 51 rays from above at four places of the ruin, drawn from what came over the bus by the camera that took "
        "the picture beside. Neighbours are joined, so a wall becomes a slope as wide as the rays are apart; what is "
        "under a roof or an edge is not in a map of heights.",
        "the same four surfaces beside pictures; heights are not stated.",
        ["place", "points", "edge [m]", "rays apart [m]", "lowest [m]", "median [m]", "highest [m]"], rows,
        figures=tuple(figures),
    )  # fmt: skip


def _cube(case: str, series: dict[str, np.ndarray], said: dict[str, Any]) -> ReportSection:
    t = np.arange(len(series["t"]), dtype=float)
    xyz = ("x", "y", "z")
    over = "frames of 10 ms"
    weight = MASS * GRAVITY
    charts = (
        curves("Points of the scan inside the cube", t, {"points": series["points"].astype(float)}, unit="points",
               over=over),
        curves("Penetration of the deepest point", t, {"depth": 1e3 * series["penetration"]}, unit="mm", over=over),
        curves("Force, mean of each step", t, dict(zip(xyz, series["force"].T, strict=True)), unit="N",
               levels={"weight": weight}, over=over),
        curves("Torque about the centre of mass", t, dict(zip(xyz, series["torque"].T, strict=True)), unit="N m",
               over=over),
        curves("Orientation, turned about", t, dict(zip(xyz, np.degrees(series["attitude"]).T, strict=True)),
               unit="degrees", over=over),
        curves("Energy of motion and height", t, {"energy": series["energy"]}, unit="J", over=over),
    )  # fmt: skip
    row = [case, f"{said['points']:,}", f"{1e3 * said['penetration']:.4f}", f"{said['force'][2] / weight:.5f}",
           f"{said['torque']:.2g}", f"{said['creep']:.2g}", f"{said['height']:.4f}",
           f"{said['energy'][0]:.0f} → {said['energy'][1]:.0f}"]  # fmt: skip
    return ReportSection(
        f"Collision: cube on {'a ' if case == 'stair edge' else ''}{case}",
        "A cube of 1 m and 100 kg that knows the world only by its own scan of 15,606 points, at every 10 ms. "
        + ("It is let go 0.3 m over the ground." if case == "flat ground" else
           "Its middle is 0.107 m beyond the edge of a stair of 2 m: it tips off, slides and falls.")
        + " Table: over the last quarter second; energy at the begin and end.",
        "points, penetration, force, torque and orientation over time of a cube on flat ground and on a stair edge; "
        "the cube on flat ground did not come to rest but went on turning slowly. Its figures 45 and 46 show "
        "the falling cubes.",
        ["cube", "points", "deepest [mm]", "force / weight", "largest torque [N m]", "turned [°]", "height [m]",
         "energy [J]"],
        [row], figures=(_row(cube_pictures(case, series)), *charts),
    )  # fmt: skip


def _bandwidth(said: dict[str, Any]) -> ReportSection:
    own, cdr = said["update_bytes"], said["cdr_bytes"]
    rows = [[_PARTS[k], f"{own[k]:,}", f"{cdr[k]:,}", f"{own[k] / 1e4:.3f}", f"{cdr[k] / 1e4:.3f}"] for k in _PARTS]
    whole = [sum(own.values()), sum(cdr.values())]
    rows.append(["an update", *(f"{v:,}" for v in whole), *(f"{v / 1e4:.3f}" for v in whole)])
    speeds = []
    for key, words in (("at_100_hz", "100 a second"), ("as_fast_as_possible", "as fast as possible")):
        for way, r in said[key].items():
            speeds.append(
                f"{words}, {way.replace('_', ' ')}: {r['updates_per_s']:g} updates/s, scans {r['scan_median_ms']:.2f} "
                f"ms old (99 %: {r['scan_p99_ms']:.2f}), {r['lost']} lost."
            )
    return ReportSection(
        "Bandwidth",
        "Bytes of an update in the thesis and as ROS 2 messages here (headers, stamps and names of fields included), "
        "and what they are at 100 updates a second.",
        "the first column; its middleware's latency is not stated.",
        ["part", "thesis [B]", "here [B]", "thesis [MB/s]", "here [MB/s]"], rows,
        more="Between two processes on this machine: " + " ".join(speeds),
    )  # fmt: skip


def _gusts(found: Evaluation) -> ReportSection:
    rows = []
    for length, own in found.gusts.items():
        soft, stiff = (rise(f) for f in own.values())
        rows.append([f"{length:g} m", f"{soft:.0f}", f"{stiff:.0f}", f"{soft / stiff:.2f}"])
    length = 50.0
    shown = found.gusts[length]
    t = next(iter(shown.values())).t
    moments = {name: f.root_moment for name, f in shown.items()}
    tips = {name: np.degrees(f.tip) for name, f in shown.items()}
    charts = (
        curves(f"Bending moment at the root, gust of {length:g} m", t, moments, unit="N m"),
        curves("How far the wing's ends are bent", t, tips, unit="degrees"),
    )
    return ReportSection(
        "A gust, flexible and stiffened",
        "A standing 1−cosine gust of 3 m/s from below, flown through at 20 km and 24.5 m/s by the autopilot; rise of "
        "the bending moment at the wing's root over that of steady flight. Stiffened: 30 times. Where "
        "the ratio is above 1 the wing has the time to follow so long a gust, and nothing is gained.",
        "no flight: physics came from outside, and its aircraft's models are not in it.",
        ["length of the gust", "as it is [N m]", "stiffened [N m]", "ratio"], rows, figures=charts,
    )  # fmt: skip


def _dotted(scan: Scanned, show: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """The picture with a dot at each of some points that the camera sees."""
    image = scan.picture // 2
    pixels, depth = scan.eye.seen(scan.points)
    seen = show & ~scan.hidden & (depth > 0.1) & np.isfinite(pixels).all(axis=-1)
    x, y = np.round(pixels[seen]).astype(int).T
    for dx in (0, 1):
        for dy in (0, 1):
            inside = (x + dx >= 0) & (x + dx < scan.eye.width) & (y + dy >= 0) & (y + dy < scan.eye.height)
            image[y[inside] + dy, x[inside] + dx] = colour
    return image


def _image(picture: np.ndarray, caption: str) -> str:
    data = base64.b64encode(encode_picture(np.ascontiguousarray(picture))).decode()
    return (
        f'<figure><img alt="{escape(caption)}" src="data:image/jpeg;base64,{data}"/>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _row(pictures: list[tuple[int, np.ndarray]]) -> str:
    return f'<div class="pair">{"".join(_image(image, f"frame {number}") for number, image in pictures)}</div>'


def _pair(left: str, right: str) -> str:
    whole = left if left.startswith("<figure") else f"<figure>{left}<figcaption>received</figcaption></figure>"
    return f'<div class="pair">{whole}{right}</div>'
