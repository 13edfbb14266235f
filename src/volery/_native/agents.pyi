"""
Kernels of agents: charts of what they have seen, and velocities at which they meet nobody.
"""

import numpy
import numpy.typing


CHART_CELL: float = 0.5

CHART_LAYERS: int = 63

CHART_POOL: int = 2

def chart_note(columns: numpy.typing.NDArray[numpy.uint64], corner_W: numpy.typing.NDArray[numpy.float64], points_W: numpy.typing.NDArray[numpy.float64], others_W: numpy.typing.NDArray[numpy.float64], body: float) -> int:
    """
    Set the bits of points that are farther than body from each of the others; how many were new.
    """

def chart_near(columns: numpy.typing.NDArray[numpy.uint64], corner_W: numpy.typing.NDArray[numpy.float64], p_W: numpy.typing.NDArray[numpy.float64], reach: float, height: float) -> numpy.typing.NDArray[numpy.float64]:
    """
    Middles of taken cells within reach in the plane and height up and down of a point, [n, 3] [m].
    """

def chart_costs(columns: numpy.typing.NDArray[numpy.uint64], bits: int) -> numpy.typing.NDArray[numpy.float64]:
    """What a metre costs in each cell of a plan, [m, m]."""

def chart_search(costs: numpy.typing.NDArray[numpy.float64], start: numpy.typing.NDArray[numpy.float64], goal: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int64]:
    """
    Cells of the cheapest way between two places of a plan, [n, 2]; none: empty.
    """

def chart_ahead(costs: numpy.typing.NDArray[numpy.float64], cells: numpy.typing.NDArray[numpy.int64], start: numpy.typing.NDArray[numpy.float64]) -> int:
    """
    Number of the farthest cell of a way that a straight line reaches without costing more than the way does.
    """

def choose_velocity(p: numpy.typing.NDArray[numpy.float64], v: numpy.typing.NDArray[numpy.float64], wish: numpy.typing.NDArray[numpy.float64], options: numpy.typing.NDArray[numpy.float64], cells: numpy.typing.NDArray[numpy.float64], others_p: numpy.typing.NDArray[numpy.float64], others_v: numpy.typing.NDArray[numpy.float64], floor_z: float) -> int:
    """
    Number of the best of the options for a drone at p [m] with velocity v [m/s].
    """
