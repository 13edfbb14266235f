"""Sizes of the maps of sun and sky."""



LEVELS: int = 8

WINDOW: int = 9

TEXELS: int = 128

BORDER: int = 8

EDGE: int = 144

BLUR: int = 2

NO_ROOF: float = -1000000000.0

SUN_TEXEL: float = 0.04

SKY_TEXEL: float = 0.3

SKY_CHANNELS: int = 3
