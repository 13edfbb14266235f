"""Room for the tiles of shadow maps: a pool that grows, and from which the longest unused go if there are very many."""

from __future__ import annotations

import numpy as np

__all__ = ["FREE", "TilePool", "texel_order"]

FREE = -1
"""First part of the key of a place that holds no tile."""
_START = 32


class TilePool:
    """Tiles of one shape. A tile's number is its place in the pool; its key is four whole numbers."""

    def __init__(self, shape: tuple[int, ...], most: int) -> None:
        self.pool = np.empty((_START, *shape), np.float32)
        self._most = most
        self._keys = np.full((_START, 4), FREE, np.int64)
        self._used = np.zeros(_START, np.int64)

    def __len__(self) -> int:
        """How many tiles are held."""
        return int((self._keys[:, 0] != FREE).sum())

    def touch(self, tiles: np.ndarray, picture: int) -> None:
        """Note that tiles are in use."""
        self._used[tiles] = picture

    def _room(self, keys: np.ndarray, picture: int) -> np.ndarray:
        """Numbers for new tiles of keys [n, 4]."""
        count, held = len(keys), np.flatnonzero(self._keys[:, 0] != FREE)
        if len(held) + count > self._most:
            old = held[self._used[held] < picture]
            order = np.lexsort((old, self._used[old]))[: max(count, self._most // 4)]
            self._keys[old[order], 0] = FREE
        free = np.flatnonzero(self._keys[:, 0] == FREE)
        short = count - len(free)
        if short > 0:
            size, more = len(self.pool), max(short, len(self.pool) // 2)
            self.pool = np.concatenate([self.pool, np.empty((more, *self.pool.shape[1:]), np.float32)])
            self._keys = np.concatenate([self._keys, np.full((more, 4), FREE, np.int64)])
            self._used = np.concatenate([self._used, np.zeros(more, np.int64)])
            free = np.concatenate([free, np.arange(size, size + more)])
        tiles = free[:count]
        self._keys[tiles], self._used[tiles] = keys, picture
        return tiles


def texel_order(edge: int) -> np.ndarray:
    """Texels of a tile in the order of their rays, 4×4 at a time: places [edge², 2]."""
    i, j = np.divmod(np.arange(edge * edge), edge)
    order = np.lexsort((j, i, j // 4, i // 4))
    return np.stack([i[order], j[order]], axis=1)
