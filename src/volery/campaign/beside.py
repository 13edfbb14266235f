"""What a run has beside it: doors for clients and firmwares, physics elsewhere and a bus, each at ports of the run."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from volery import registry
from volery.bus.bus import Bus, BusConfig
from volery.bus.command_listener import CommandListener
from volery.bus.link import BusLink
from volery.bus.ros2 import Ros2Config, ros2_config
from volery.bus.run_publisher import RunPublisher
from volery.campaign.ports import PortBlock
from volery.campaign.programs import RunPrograms
from volery.errors import CampaignError
from volery.loop import Loop
from volery.sim import Simulation

__all__ = ["BUS", "Company"]

BUS = "bus"
"""Among the doors: the bus, with ROS 2 and external physics on it."""
_EACH = 10
"""Ports that a robot may take of one door."""


class Company:
    """Opened for one run; `with` closes it."""

    def __init__(self, simulation: Simulation, loop: Loop, request: dict[str, Any]) -> None:
        """request: of the run, with `doors`, `programs` and `firmwares`."""
        self._simulation, self._loop = simulation, loop
        self._wanted: list[str] = request.get("doors", [])
        self._firmwares: dict[str, str] = request.get("firmwares", {})
        self.places: dict[str, str] = {}
        """What programs are told: {mavlink.port}, {mavlink.station}, {external.port}, {bus}."""
        self._closing = ExitStack()
        try:
            self._open()
            folder = Path(request["folder"])
            self.programs = RunPrograms(request.get("programs", {}), self.places, folder)
            self._closing.callback(self.programs.close)
        except BaseException:
            self._closing.close()
            raise

    def __enter__(self) -> Company:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def _open(self) -> None:
        if not self._wanted and not _external(self._simulation):
            return
        each = max(len(self._simulation.robots), 1)
        block = PortBlock(8 + (len(self._wanted) + 1) * (4 * _EACH + _EACH * each))
        self._closing.callback(block.close)
        self._connect_udp(block)
        bus = self._open_bus(block) if BUS in self._wanted else None
        doors = [self._door(name, block, each) for name in self._wanted if name != BUS]
        for door in doors:
            if bus is not None:
                door.attach(bus)
            door.start()

    def _door(self, name: str, block: PortBlock, each: int) -> Any:
        settings = self._moved(name, self._simulation.scenario.protocols[name], block, each)
        door: Any = registry.find("protocols", name)(self._simulation, self._loop, settings)
        self._closing.callback(door.close)
        if name in self._firmwares:
            program, *words = shlex.split(self._firmwares[name])
            door.program, door.arguments = program, tuple(words)
        door.out = Path("out")
        return door

    def _moved(self, name: str, settings: Any, block: PortBlock, each: int) -> Any:
        """The settings of a door at ports of this run; what is 0 or nothing stays so."""
        moved: dict[str, Any] = {}
        for field in fields(settings):
            value = getattr(settings, field.name)
            if isinstance(value, dict) and any(getattr(inner, "port", 0) for inner in value.values()):
                moved[field.name] = {key: replace(inner, port=block.take(1)) for key, inner in value.items()}
                self.places |= {f"{name}.{key}.port": str(inner.port) for key, inner in moved[field.name].items()}
            elif (field.name == "port" or field.name.endswith("_port")) and isinstance(value, int) and value:
                moved[field.name] = block.take(_EACH * each if field.name == "port" else each + 2)
                self.places[f"{name}.{field.name}"] = str(moved[field.name])
        if getattr(settings, "stations", None):
            # Where vehicles call: the program of the run listens there.
            station = block.take(1)
            moved["stations"] = (f"127.0.0.1:{station}",)
            self.places[f"{name}.station"] = str(station)
        if getattr(settings, "program", ""):
            moved["program"] = ""
        return replace(settings, **moved)

    def _connect_udp(self, block: PortBlock) -> None:
        """Physics elsewhere by UDP."""
        for name, engine in _external(self._simulation).items():
            if engine.settings.link == "udp":
                port = block.take(1)
                self.places[f"{name}.port"] = str(port)
                link = _udp_link(port)
                self._closing.callback(link.close)
                self._simulation.connect(name, link)

    def _open_bus(self, block: PortBlock) -> Bus:
        endpoint = f"tcp/127.0.0.1:{block.take(1)}"
        self.places[BUS] = endpoint
        bus = self._closing.enter_context(Bus(BusConfig(listen=[endpoint])))
        simulation = self._simulation
        config = replace(ros2_config(simulation.scenario), port=0)
        listeners: list[Any] = [RunPublisher(simulation, bus, config), CommandListener(simulation, bus)]
        for listener in listeners:
            self._closing.callback(listener.close)
        simulation.listeners += listeners
        for name, engine in _external(simulation).items():
            if engine.settings.link == "bus":
                link = BusLink(bus)
                self._closing.callback(link.close)
                simulation.connect(name, link)
        self._serve(bus, config)
        return bus

    def _serve(self, bus: Bus, config: Ros2Config) -> None:
        door: Any = registry.find("protocols", "ros2")(self._simulation, self._loop, config)
        self._closing.callback(door.close)
        door.attach(bus)


def _external(simulation: Simulation) -> dict[str, Any]:
    """Engines that wait for physics elsewhere."""
    return {name: e for name, e in simulation.engines.items() if hasattr(e.settings, "exchange")}


def _udp_link(port: int) -> Any:
    try:
        return registry.find("protocols", "control").udp_link(port)
    except OSError as error:
        raise CampaignError(f"UDP port {port} cannot be used: {error.strerror}") from None
