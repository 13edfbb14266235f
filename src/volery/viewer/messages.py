"""All that the server says to pages: each message and header is a dataclass here. Units SI; W is ENU with z up.

`python -m volery.viewer.page_types` writes the page's types (web/src/said.ts) from them: `PageState` is `State` there.
A message is JSON with its `kind`; a header is that of a binary frame (see `volery.bus.frames`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, Literal

from volery.bus.listing import Row
from volery.bus.poses import PosesHeader
from volery.sensors.controls import Gesture
from volery.sensors.outputs import PageView

__all__ = [  # noqa: PLE0604
    *(
        "HEADERS",
        "MESSAGES",
        "PageMessage",
        "PageBody",
        "PageChunkHeader",
        "PageChunkObject",
        "PageControl",
        "PageEvent",
    ),
    *("PageEvents", "PageGone", "PageLight", "PageLog", "PageMarker", "PageMarkers", "PageMeshHeader", "PagePrimitive"),
    *("PageReply", "PageRobot", "PageRobots", "PageRotor", "PageScenario", "PageSensor", "PageShape", "PageSkin"),
    *("PageSky", "PageState", "PageSun", "PageTimeline", "PageTopic", "PageTopicHeader", "PageTopics", "PageWeather"),
    *("PageWelcome", "PageWind", "PageWorld", "plain_message"),
]

Vector = tuple[float, float, float]
MAYBE = {"maybe": True}
"""Of fields that are left out where they are None."""


@dataclass(frozen=True)
class PageMessage:
    """The base of JSON messages."""

    kind: ClassVar[str]


def plain_message(said: Any) -> Any:
    """A message, header or part of one as plain data, `kind` first."""
    if is_dataclass(said):
        kind = getattr(said, "kind", None) if isinstance(said, PageMessage) else None
        found = {} if kind is None else {"kind": kind}
        for f in fields(said):
            value = getattr(said, f.name)
            if value is not None or "maybe" not in f.metadata:
                found[f.name] = plain_message(value)
        return found
    if isinstance(said, list | tuple):
        return [plain_message(item) for item in said]
    return said


# The run


@dataclass(frozen=True)
class PageScenario:
    """A scenario that can be started."""

    name: str
    about: str


@dataclass(frozen=True)
class PageWelcome(PageMessage):
    """The first message, and again when another run begins."""

    kind: ClassVar[str] = "welcome"
    version: int
    """Of what is said between page and server."""
    role: str
    mode: Literal["live", "replay"]
    scenario: str
    """Empty: no run is in progress."""
    seed: int
    step_ns: int
    about: str
    robots_version: int
    scenarios: list[PageScenario]
    worlds: list[str]
    files: list[str]
    """Snapshots that can be restored."""


@dataclass(frozen=True)
class PageTimeline:
    """Where a replay is."""

    start_ns: int
    end_ns: int
    now_ns: int
    speed: float
    paused: bool


@dataclass(frozen=True)
class PageState(PageMessage):
    """How the run goes, several times a second."""

    kind: ClassVar[str] = "state"
    now_ns: int
    paused: bool
    speed: float | Literal["max", "lockstep"]
    factor: float
    """Seconds of simulation per second of wall time, measured."""
    steps: int
    recording: str | None
    recording_fault: str | None
    """Why the recording cannot go on."""
    pages: int
    replay: PageTimeline | None


@dataclass(frozen=True)
class PageEvent:
    """Something that happened."""

    now_ns: int
    robot: str
    kind: Literal["collision", "event", "warning"]
    text: str


@dataclass(frozen=True)
class PageEvents(PageMessage):
    """Events that the page does not know yet."""

    kind: ClassVar[str] = "events"
    events: list[PageEvent]


@dataclass(frozen=True)
class PageLog(PageMessage):
    """A line of the log."""

    kind: ClassVar[str] = "log"
    level: str
    text: str


@dataclass(frozen=True)
class PageReply(PageMessage):
    """The answer to a request."""

    kind: ClassVar[str] = "reply"
    id: int | str | None
    result: Any = None
    error: str | None = field(default=None, metadata=MAYBE)


@dataclass(frozen=True)
class PageTopics(PageMessage):
    """The table of topics."""

    kind: ClassVar[str] = "topics"
    rows: list[Row]


@dataclass(frozen=True)
class PageMarker:
    """A drawing of a protocol or planner; `gone` takes it away."""

    id: str
    kind: Literal["points", "line", "arrows", "text"] | None = field(default=None, metadata=MAYBE)
    p: list[Vector] | None = field(default=None, metadata=MAYBE)
    """[m]."""
    colour: tuple[float, float, float, float] | None = field(default=None, metadata=MAYBE)
    size: float | None = field(default=None, metadata=MAYBE)
    duration: float | None = field(default=None, metadata=MAYBE)
    """How long it stays [s of simulated time]; left out: until it is taken away."""
    text: str | None = field(default=None, metadata=MAYBE)
    gone: bool | None = field(default=None, metadata=MAYBE)


@dataclass(frozen=True)
class PageMarkers(PageMessage):
    """Drawings that are new or gone."""

    kind: ClassVar[str] = "markers"
    markers: list[PageMarker]


# The world


@dataclass(frozen=True)
class PageWorld(PageMessage):
    """What stands; its pieces follow as chunks."""

    kind: ClassVar[str] = "world"
    version: int
    type: str
    chunk_size: float | None
    """Edge of a chunk [m]; null: the world is one piece."""
    spawn: Vector
    dark: bool
    """No daylight inside, as in caves."""


@dataclass(frozen=True)
class PageSun:
    """The sun."""

    direction: Vector
    """Towards it in W."""


@dataclass(frozen=True)
class PageLight:
    """Daylight, linear RGB."""

    sun: Vector
    zenith: Vector
    horizon: Vector


@dataclass(frozen=True)
class PageWeather:
    """What is in the air, 0 to 1."""

    fog: float
    rain: float
    snow: float
    dust: float


@dataclass(frozen=True)
class PageWind:
    """The wind."""

    mean: Vector
    """[m/s]."""


@dataclass(frozen=True)
class PageSky(PageMessage):
    """Sun, sky and air, once a second."""

    kind: ClassVar[str] = "sky"
    sun: PageSun
    light: PageLight
    cloud: float
    """How much weather hides the sun, 0 to 1."""
    extinction: float
    """Of the air and what is in it, at 550 nm [1/m]."""
    weather: PageWeather
    wind: PageWind


@dataclass(frozen=True)
class PageGone(PageMessage):
    """What the page may forget."""

    kind: ClassVar[str] = "gone"
    keys: list[list[int | str]]
    """Of chunks."""
    meshes: list[int]


# Robots


@dataclass(frozen=True)
class PageTopic:
    """A topic of a sensor."""

    topic: str
    type: str
    view: PageView
    """How it is shown."""
    path: str
    """Field that the view is of."""
    schema: dict[str, list[tuple[str, str, int]]] | None = field(default=None, metadata=MAYBE)
    """Of types that are not ROS 2's own: fields by type, as in messages.ts."""


@dataclass(frozen=True)
class PageControl:
    """A control of a sensor, worked by `operate`."""

    name: str
    doc: str
    parameters: list[tuple[str, str]]
    """Name and kind (switch, whole, number, text, numbers) of each."""
    required: int
    """So many of them must be given."""
    gesture: Gesture


@dataclass(frozen=True)
class PageSensor:
    """A sensor of a robot."""

    name: str
    type: str
    body: int
    """Number of the body within the robot."""
    X_BS: list[float]
    """Mount on the body, rows of a 3 × 4 matrix."""
    topics: list[PageTopic]
    controls: list[PageControl]
    about: dict[str, Any]
    """Its parameters that are numbers, words or short lists of them."""
    aim: int | None = field(default=None, metadata=MAYBE)
    """Of one that turns against its mount: its row in the poses' `aim`."""


@dataclass(frozen=True)
class PageBody:
    """A body of a robot."""

    name: str
    parent: int


@dataclass(frozen=True)
class PageShape:
    """A mesh on a body."""

    body: int
    mesh: int


@dataclass(frozen=True)
class PageSkin:
    """A mesh that bends with bones."""

    mesh: int
    bones: list[int]
    """Numbers of bodies within the robot; the mesh's corners count in this list."""


@dataclass(frozen=True)
class PageRotor:
    """A body that is shown as a spinning rotor."""

    body: int
    radius: float
    """[m]."""
    spin: int
    """1 counter-clockwise seen from above, -1 clockwise."""


@dataclass(frozen=True)
class PageRobot:
    """A robot."""

    name: str
    type: str
    about: str
    engine: str
    movable: bool
    """An obstacle that physics moves, not a robot."""
    drives: bool
    """Whether it turns where a drone goes sideways."""
    commands: list[str]
    bodies: list[PageBody]
    shapes: list[PageShape]
    skins: list[PageSkin]
    rotors: list[PageRotor]
    first: int
    """Global number of its first body."""
    sensors: list[PageSensor]


@dataclass(frozen=True)
class PageRobots(PageMessage):
    """All robots, whenever any came, went or changed."""

    kind: ClassVar[str] = "robots"
    version: int
    robots: list[PageRobot]


# Headers of binary frames


@dataclass(frozen=True)
class PagePrimitive:
    """A range of a mesh's index with one look."""

    surface: Literal["opaque", "leaf", "clear", "mirror", "lamp"]
    roughness: float
    texture: str
    label: str
    solid: bool
    emission: float
    transparency: float
    mirror: float
    first: int
    count: int


@dataclass(frozen=True)
class PageMeshHeader:
    """A level of detail of a mesh."""

    kind: Literal["mesh"]
    id: int
    of: int
    """Number of the mesh that this is a level of."""
    name: str
    level: int
    """0: finest. The coarsest comes first, finer ones when the camera is near enough."""
    levels: int
    centre: Vector
    half: Vector
    """What the largest whole number of a place stands for [m]."""
    bounds: tuple[Vector, Vector]
    primitives: list[PagePrimitive]


@dataclass(frozen=True)
class PageChunkObject:
    """An object of a chunk: a range of its instances."""

    name: str
    first: int
    count: int


@dataclass(frozen=True)
class PageChunkHeader:
    """A piece of the world."""

    kind: Literal["chunk"]
    key: list[int | str]
    origin: Vector
    objects: list[PageChunkObject]
    meshes: list[int]


@dataclass(frozen=True)
class PageTopicHeader:
    """A message of a topic."""

    kind: Literal["topic"]
    topic: str
    type: str
    stamp_ns: int
    seq: int


MESSAGES: tuple[type[PageMessage], ...] = (
    PageWelcome, PageState, PageWorld, PageSky, PageRobots, PageGone, PageTopics, PageEvents, PageLog, PageMarkers,
    PageReply,
)  # fmt: skip
"""All JSON messages."""
HEADERS: tuple[type, ...] = (PageMeshHeader, PageChunkHeader, PosesHeader, PageTopicHeader)
"""Headers of all binary frames."""
