"""Behaviours by name: built in, of packages (entry points `volery.behaviours`), or a class of one's own file."""

from __future__ import annotations

import inspect
import sys
import zlib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from volery import registry
from volery.agents.agent import Agent
from volery.errors import LibraryError, UnknownNameError, did_you_mean

__all__ = ["add_behaviour", "behaviour"]


def behaviour(name: str) -> type[Agent]:
    """The class of a registered behaviour."""
    found = registry.find("behaviours", name)
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise LibraryError(f"behaviour '{name}' at {registry.place('behaviours', name)} is no subclass of volery.Agent")
    if inspect.isabstract(found):
        missing = ", ".join(sorted(found.__abstractmethods__))
        raise LibraryError(f"behaviour '{name}' cannot decide: its class lacks {missing}")
    return found


def add_behaviour(where: str) -> str:
    """Register a class for this process, 'my_file.py:MyAgent' or 'my.module:MyAgent', and give its name.

    A name that is registered already is taken as it is."""
    file, colon, name = where.rpartition(":")
    if not colon and registry.knows("behaviours", where):
        return where
    if not (file and name.isidentifier()):
        known = registry.names("behaviours")
        raise LibraryError(
            f"agent '{where}'{did_you_mean(where, known)}: write my_file.py:MyAgent, or one of {', '.join(known)}"
        )
    path = Path(file)
    module = _import_file(path) if file.endswith(".py") else file
    registered = f"{path.stem if file.endswith('.py') else file}:{name}"
    if not registry.knows("behaviours", registered) or registry.place("behaviours", registered) != f"{module}:{name}":
        registry.add("behaviours", registered, f"{module}:{name}")
    _check_there(module, name)
    behaviour(registered)
    return registered


def _import_file(path: Path) -> str:
    """Run a file as a module of its own, with the files beside it at hand; the module's name."""
    if not path.is_file():
        raise LibraryError(f"agent file {path}: no such file")
    # Of its whole path, so that two files of the same name are two modules.
    name = f"volery_agent_{path.stem}_{zlib.crc32(str(path.resolve()).encode()):08x}"
    beside = str(path.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise LibraryError(f"agent file {path}: is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise LibraryError(f"agent file {path}: {type(error).__name__}: {error}") from error
    return name


def _check_there(module: str, name: str) -> None:
    found = sys.modules.get(module)
    if found is None or hasattr(found, name):
        return
    classes = [n for n, c in vars(found).items() if isinstance(c, type) and issubclass(c, Agent) and c is not Agent]
    raise UnknownNameError("class", name, classes)
