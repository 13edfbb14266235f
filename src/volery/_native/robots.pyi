"""Poses of robots' bodies, and their skins."""

import numpy
import numpy.dtypes
import numpy.typing


Joint: numpy.dtypes.VoidDType = ...

def compose(A: numpy.typing.NDArray[numpy.float64], B: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float64]) -> None:
    """X_AC = X_AB · X_BC of poses [3, 4]; `out` may be A or B."""

def turned(X0: numpy.typing.NDArray[numpy.float64], X1: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Rotation vector [rad] from the attitude of one pose [3, 4] to that of another; below half a turn.
    """

def body_poses(p_WR: numpy.typing.NDArray[numpy.float64], q_WR: numpy.typing.NDArray[numpy.float64], parent: numpy.typing.NDArray[numpy.int32], X_PB: numpy.typing.NDArray[numpy.float64], joints: numpy.typing.NDArray[numpy.void], positions: numpy.typing.NDArray[numpy.float64], X_bone: numpy.typing.NDArray[numpy.float64], X_WB: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Fill X_WB [b, 3, 4]: parent's pose, place at rest, joints in order, then the bone's own pose.
    """

def skin_vertices(rest: numpy.typing.NDArray[numpy.float32], bones: numpy.typing.NDArray[numpy.int32], weights: numpy.typing.NDArray[numpy.float64], X_BR_bind: numpy.typing.NDArray[numpy.float64], X_RB: numpy.typing.NDArray[numpy.float64], out: numpy.typing.NDArray[numpy.float32]) -> None:
    """
    Linear blend skinning in the root's frame: each vertex follows the bones it was bound to.
    """
