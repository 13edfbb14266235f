"""Articulated robots in MuJoCo, in a world that stays outside its model."""
