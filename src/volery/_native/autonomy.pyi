"""Kernels of robots that find their way."""

import numpy
import numpy.dtypes
import numpy.typing


class OccupancyGrid:
    """What is free, taken and unknown: a grid without end."""

    def __init__(self, cell: float, reach: float, hollow: float) -> None: ...

def occupancy_add(grid: OccupancyGrid, origin: numpy.typing.NDArray[numpy.float64], ends: numpy.typing.NDArray[numpy.float64]) -> None:
    """Add a sweep of beams, [3] to [n, 3] [m]."""

def occupancy_window(grid: OccupancyGrid, first: numpy.typing.NDArray[numpy.int64], out: numpy.typing.NDArray[numpy.int8]) -> None:
    """Copy cells from `first` on into out."""

def occupancy_middles(grid: OccupancyGrid, taken: bool) -> numpy.typing.NDArray[numpy.float64]:
    """Middles of all cells that are taken, or that are free, [n, 3] [m]."""

def occupancy_count(grid: OccupancyGrid, taken: bool) -> int:
    """How many cells are taken, or are free."""

def occupancy_bounds(grid: OccupancyGrid) -> numpy.typing.NDArray[numpy.int64]:
    """First and last cells of what was seen, [2, 3] or [0, 3]."""

class SurfelMap:
    """The mean and spread of points in each cell of a grid."""

    def __init__(self, cell: float) -> None: ...

def surfels_add(map: SurfelMap, points: numpy.typing.NDArray[numpy.float64]) -> None:
    """Take points in [m]."""

def surfels_forget(map: SurfelMap, here: numpy.typing.NDArray[numpy.float64], reach: float) -> None:
    """Let go of what is out of reach of a place [m]."""

def surfels_fit(map: SurfelMap, points: numpy.typing.NDArray[numpy.float64], prior: numpy.typing.NDArray[numpy.float64], R: numpy.typing.NDArray[numpy.float64], t: numpy.typing.NDArray[numpy.float64]) -> float:
    """
    Turn and move the guess R, t to the pose from which points are seen as in the map; the share found.
    """

def thinned(points: numpy.typing.NDArray[numpy.float64], cell: float) -> numpy.typing.NDArray[numpy.float64]:
    """One point of each cell, the first that falls into it, [m, 3]."""

PriceTerms: numpy.dtypes.VoidDType = ...

def clearances(evidence: numpy.typing.NDArray[numpy.int8], out: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    How far each cell is from the nearest taken one, into out [thirds of a cell].
    """

def floors(evidence: numpy.typing.NDArray[numpy.int8], start: numpy.typing.NDArray[numpy.int64], out: numpy.typing.NDArray[numpy.float32]) -> None:
    """
    Height of the ground of each column, rising no steeper than one in two from below a robot's cell [cells].
    """

def prices(evidence: numpy.typing.NDArray[numpy.int8], clear: numpy.typing.NDArray[numpy.uint8], floor: numpy.typing.NDArray[numpy.float32], terms: numpy.typing.NDArray[numpy.void], out: numpy.typing.NDArray[numpy.float32]) -> None:
    """Of flying through each cell; 0: not allowed."""

def search_way(price: numpy.typing.NDArray[numpy.float32], clear: numpy.typing.NDArray[numpy.uint8], start: numpy.typing.NDArray[numpy.float64], goal: numpy.typing.NDArray[numpy.float64], greed: float) -> tuple[numpy.typing.NDArray[numpy.float64], bool]:
    """
    Cells from a start to a goal (A*), [n, 3], and whether it was reached; one outside is sought at the sides.
    """

def flood(price: numpy.typing.NDArray[numpy.float32], clear: numpy.typing.NDArray[numpy.uint8], evidence: numpy.typing.NDArray[numpy.int8], start: numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64]]:
    """
    What it costs to get to each cell through known free air [cells], and the cell before each, or −1.
    """

def find_ends(evidence: numpy.typing.NDArray[numpy.int8], cost: numpy.typing.NDArray[numpy.float32], low: numpy.typing.NDArray[numpy.int64], high: numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.int64]:
    """
    Cells in a box with a way to them and an unknown one beside them, [n, 3].
    """

def straightened(price: numpy.typing.NDArray[numpy.float32], way: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """The way without what a straight line makes no dearer."""

def smoothed(price: numpy.typing.NDArray[numpy.float32], way: numpy.typing.NDArray[numpy.float64], spacing: float, held: int) -> numpy.typing.NDArray[numpy.float64]:
    """
    The way in even steps [cells], its corners rounded where that costs little; the first `held` points stay.
    """

def speed_profile(p: numpy.typing.NDArray[numpy.float64], room: numpy.typing.NDArray[numpy.float64], spacing: float, v0: float, most: float, narrow: float, acceleration: float, out: numpy.typing.NDArray[numpy.float64]) -> float:
    """
    Speeds at points in even steps, into out [m/s]; and how much too fast the worst is, as a factor.
    """

def best_escape(p: numpy.typing.NDArray[numpy.float64], v: numpy.typing.NDArray[numpy.float64], taken: numpy.typing.NDArray[numpy.float64], clear: float, acceleration: float, dt: float) -> numpy.typing.NDArray[numpy.float64]:
    """
    Of some ways to rest the one with most room, places at even times, [n, 3] [m].
    """

def path_gap(path: numpy.typing.NDArray[numpy.float64], taken: numpy.typing.NDArray[numpy.float64]) -> float:
    """Between places of a path and the nearest of some points [m]."""

GROUND_THICK: float = 0.12

def ground_heights(points: numpy.typing.NDArray[numpy.float64], eye: numpy.typing.NDArray[numpy.float64], far: float, corner: numpy.typing.NDArray[numpy.float64], cell: float, height: numpy.typing.NDArray[numpy.float64], top: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Heights of the ground and of what lies on it by points near an eye and below it [m].
    """

def seen_from_above(evidence: numpy.typing.NDArray[numpy.int8], bottom: float, height: numpy.typing.NDArray[numpy.float64], sure: numpy.typing.NDArray[numpy.float64], cell: float, climbs: float, out: numpy.typing.NDArray[numpy.int8]) -> None:
    """1: something is in the way; −1: free; else out stays."""

def gaze(gazes: numpy.typing.NDArray[numpy.float64], turns: numpy.typing.NDArray[numpy.float64], far: float, blocked: numpy.typing.NDArray[numpy.bool], looked: numpy.typing.NDArray[numpy.bool]) -> None:
    """
    Mark what is seen from places (x, y [cells], yaw [rad]) at some turns, up to what is blocked.
    """

def seen_behind(starts: numpy.typing.NDArray[numpy.float64], turns: numpy.typing.NDArray[numpy.float64], far: float, panes: numpy.typing.NDArray[numpy.bool], out: numpy.typing.NDArray[numpy.bool]) -> None:
    """Mark what is seen through panes from places [cells]."""

def hear_pane(votes: numpy.typing.NDArray[numpy.int8], start: numpy.typing.NDArray[numpy.float64], yaw: float, half_angle: float, echo: float, pane: bool) -> None:
    """
    What an echo [cells] in a cone tells of the cells it may come from, and of those before.
    """

def hidden_by(taken: numpy.typing.NDArray[numpy.bool], eye: numpy.typing.NDArray[numpy.float64], ends: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.bool]) -> None:
    """Whether something taken is between an eye and ends."""
