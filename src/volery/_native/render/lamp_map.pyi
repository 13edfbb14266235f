"""Sizes of the maps of lamps."""



REACH: float = 45.0

FACE: int = 256

TILE: int = 64

RIM: int = 4

SIDE: int = 72

ACROSS: int = 4

TILES: int = 96
