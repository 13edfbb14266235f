"""Volery's native core: loops over numbers."""

from volery._native import (
    agents as agents,
    autonomy as autonomy,
    contact as contact,
    core as core,
    craft as craft,
    elastic as elastic,
    generate as generate,
    mujoco as mujoco,
    multirotor as multirotor,
    rays as rays,
    render as render,
    robots as robots,
    sensors as sensors,
    viewer as viewer,
    world as world
)
