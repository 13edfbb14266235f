"""Hooks of mkdocs (see mkdocs.yml): pages made from files outside docs/, and links that leave docs/.

Wire specifications stand beside their protocols, examples in examples/, and the command line in its parser. Each
becomes a page, so that nothing is written twice. A link to another file of the repository becomes its name: the site
stands alone.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from component_pages import component_pages  # noqa: E402

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^(```.*?^```)", re.MULTILINE | re.DOTALL)


def example_page(path: Path) -> str:
    """A page of one example: what it says of itself, and all of it."""
    name = path.relative_to(ROOT).as_posix()
    about = path.read_text().split('"""')[1].strip()
    return f'# {path.stem}\n\n{about}\n\n```\npython {name}\n```\n\n```python\n--8<-- "{name}"\n```\n'


def examples_index(paths: list[Path]) -> str:
    """The list of examples."""
    lines = [f"- [{p.stem}]({p.stem}.md): {p.read_text().split(chr(34) * 3)[1].strip().splitlines()[0]}" for p in paths]
    text = "# Examples\n\nEach is run by `tests/house/test_examples.py` and needs nothing but `pip install`"
    return text + " (the last one Gymnasium).\n\n" + "\n".join(lines) + "\n"


def _help(parser: argparse.ArgumentParser) -> str:
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=110)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        parser.print_help()
    return f"```\n{out.getvalue().rstrip()}\n```\n"


def command_line() -> str:
    """What `volery --help` and `volery COMMAND --help` say."""
    from volery.cli import _parser

    top = _parser()
    parts = ["# Command line\n", _help(top)]
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            parts += [f"## volery {name}\n\n{_help(each)}" for name, each in action.choices.items()]
    return "\n".join(parts)


def all_names() -> str:
    """The names of the public interface with a line about each, by the page that describes them."""
    import volery

    parts = [
        "# All names\n\nWhat `import volery` gives. A name is imported when it is first used, so that the import stays"
        " light. `volery.__version__` is the version, a text.\n"
    ]
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        text = page.read_text()
        names = re.findall(r"^::: volery\.(\w+)$", text, re.MULTILINE)
        rows = [f"| [`{n}`][volery.{n}] | {_first_line(getattr(volery, n))} |" for n in sorted(names)]
        if rows:
            title = text.splitlines()[0].removeprefix("# ")
            parts += [f"## {title}\n", "| name | |\n|---|---|\n" + "\n".join(rows) + "\n"]
    return "\n".join(parts)


def _first_line(thing: object) -> str:
    line = (thing.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
    return re.sub(r"\s+", " ", line).replace("|", "\\|").replace("] [", "] \\[")


def made_pages() -> dict[str, tuple[str, str]]:
    """Pages that are not in docs/: by place in the site, the file they come from and their text."""
    examples = sorted((ROOT / "examples").glob("[0-9]*.py"))
    pages = {f"examples/{p.stem}.md": (f"examples/{p.name}", example_page(p)) for p in examples}
    pages["examples/index.md"] = ("examples", examples_index(examples))
    for readme in sorted((ROOT / "src/volery/protocols").glob("*/README.md")):
        if readme.parent.name == "firmware":
            continue  # shared code, no wire format of its own
        pages[f"wire/{readme.parent.name}.md"] = (readme.relative_to(ROOT).as_posix(), readme.read_text())
    pages |= component_pages()
    pages["changes.md"] = ("CHANGELOG.md", (ROOT / "CHANGELOG.md").read_text())
    pages["house_rules.md"] = ("CONTRIBUTING.md", (ROOT / "CONTRIBUTING.md").read_text())
    pages["reference/volery.md"] = ("src/volery/api.py", all_names())
    pages["reference/command_line.md"] = ("src/volery/cli.py", command_line())
    return pages


_origin: dict[str, str] = {}
"""Place in the site → file in the repository, of the pages that were made."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    _origin.clear()
    for place, (source, text) in made_pages().items():
        _origin[place] = source
        files.append(File.generated(config, place, content=text))
    for made in files:
        folder, _, rest = made.src_uri.partition("/")
        if folder in ("examples", "components") and rest != "index.md":
            made.inclusion = made.inclusion.NOT_IN_NAV  # the index lists them
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links that leave docs/ into links within the site, or into names."""
    uri = page.file.src_uri
    parts = FENCE.split(markdown)
    return "".join(p if p.startswith("```") else LINK.sub(lambda m: _link(m, uri, files), p) for p in parts)


def _link(match: re.Match[str], uri: str, files: Files) -> str:
    text, target = match.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return match[0]
    path, _, anchor = target.partition("#")
    source = _origin.get(uri, f"docs/{uri}")
    there = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    place = _place(there, files)
    if place is not None:
        link = posixpath.relpath(place, posixpath.dirname(uri) or ".")
        return f"[{text}]({link}{'#' + anchor if anchor else ''})"
    # A file of the repository that is no page: say its name. What does not exist is left, for mkdocs to refuse.
    if (ROOT / there).exists():
        return text if text.strip("`") == there else f"{text} (`{there}`)"
    return match[0]


def _place(there: str, files: Files) -> str | None:
    """Where the site has a file of the repository."""
    for place, source in _origin.items():
        if source == there:
            return place
    inside = os.path.relpath(there, "docs").replace(os.sep, "/")
    return inside if files.get_file_from_path(inside) is not None else None
