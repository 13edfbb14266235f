"""Reference pages of all components, made from their declarations: what `volery list KIND NAME` tells, and a picture.

Pictures are in docs/images/components and drawn by scripts/component_pictures.py.
"""

from __future__ import annotations

import re
from pathlib import Path

from volery import registry
from volery.report.component import Component, component, names_of, summary

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "images" / "components"
KINDS = {
    "worlds": ("World", "Worlds", "what stands around the robots"),
    "robots": ("Robot", "Robots", "ready to use by name; each is a file that you can copy"),
    "sensors": ("Sensor", "Sensors", "what robots measure, with topics and parameters"),
    "robot_kinds": ("Robot kind", "Robot kinds", "blocks of robot files"),
    "engines": ("Engine", "Engines", "what moves robots"),
    "agents": ("Mission", "Missions", "programs that fly and drive robots of their own, under `agents` of a scenario"),
    "protocols": ("Protocol", "Protocols", "servers and links for other systems' programs"),
    "scenarios": ("Scenario", "Scenarios", "built in; `volery run NAME` runs one"),
}
"""Kinds as the registry has them: one, several, and what they are."""


def component_pages() -> dict[str, tuple[str, str]]:
    """Pages by place in the site, with the file that each is made from and its text."""
    pages = {"components/index.md": ("src/volery/registry.py", _index())}
    for kind in KINDS:
        for name in names_of(kind):
            pages[f"components/{kind}/{name}.md"] = (_source(kind, name), component_page(component(kind, name)))
    return pages


def component_page(found: Component) -> str:
    """The page of one component."""
    one = KINDS[found.kind][0]
    parts = [f"# {found.name}\n\n*{one}.* {_escaped(found.about)}"]
    picture = PICTURES / f"{found.kind}-{found.name}.jpg"
    if picture.exists():
        parts.append(f"![{found.name}](../../images/components/{picture.name})")
    if found.outputs:
        rows = [f"| `{o.topic}` | {o.type} | {o.frame} | {o.view or '–'} |" for o in found.outputs]
        parts.append(
            "## Outputs\n\n| topic | ROS 2 type | frame | on the page |\n|---|---|---|---|\n" + "\n".join(rows)
        )
    if found.parameters:
        rows = [
            f"| `{p.name}` | {_cell(p.default)} | {_cell(p.unit)} | {_cell(p.bounds)} | {_cell(p.doc)} |"
            for p in found.parameters
        ]
        head = "| parameter | default | unit | range | meaning |\n|---|---|---|---|---|\n"
        parts.append("## Parameters\n\n" + head + "\n".join(rows))
    if found.controls:
        parts.append("## Controls\n\n" + "\n".join(f"- {_escaped(line)}" for line in found.controls))
    language = "sh" if found.kind == "scenarios" else "yaml"
    parts.append(f"## Example\n\n```{language}\n{found.example}\n```")
    return "\n\n".join(parts) + "\n"


def _index() -> str:
    parts = [
        "# Components\n\nAll that `volery list` knows, with parameters, outputs and an example. These pages are "
        "made from the components' own declarations."
    ]
    for kind, (_, several, words) in KINDS.items():
        rows = [f"| [{name}]({kind}/{name}.md) | {_cell(summary(kind, name))} |" for name in names_of(kind)]
        parts.append(f"## {several}\n\n{words[0].upper()}{words[1:]}.\n\n| name | |\n|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _source(kind: str, name: str) -> str:
    """The file of the repository that declares it."""
    if kind == "scenarios":
        return f"src/volery/scenarios/{name}.yaml"
    module, _, attribute = registry.place(kind, name).partition(":")
    if kind == "robots":
        return f"src/{module.replace('.', '/')}/{attribute}"
    return f"src/{module.replace('.', '/')}.py"


def _escaped(text: str) -> str:
    """Brackets of units are no links."""
    return re.sub(r"\[([^\]]*)\](?!\()", r"\\[\1\\]", text)


def _cell(text: str) -> str:
    return _escaped(re.sub(r"\s+", " ", text)).replace("|", "\\|") or "–"
