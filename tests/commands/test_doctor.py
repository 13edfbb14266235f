"""The doctor finds what is wrong with an installation, and says what to do."""

import builtins
import socket
import sys
from collections import namedtuple
from importlib import metadata

import numpy as np
import pytest

from volery.errors import LibraryError
from volery.report import doctor, doctor_parts, doctor_system


def found(what):
    needed, checks = next(
        (needed, dict(table)[what])
        for needed, table in ((True, doctor._NEEDED), (False, doctor._OPTIONAL))
        if what in dict(table)
    )
    return doctor._try(what, checks, needed)


def test_all_is_looked_at_whatever_breaks(monkeypatch):
    """`volery doctor` itself is run by test_cli.py."""

    def broken():
        raise ZeroDivisionError("whatever")

    def fine():
        return "fine"

    monkeypatch.setattr(doctor, "_NEEDED", [(what, broken) for what, _ in doctor._NEEDED])
    monkeypatch.setattr(doctor, "_OPTIONAL", [(what, fine) for what, _ in doctor._OPTIONAL])
    findings = doctor.diagnose()
    assert {"Python", "packages", "native core", "bus (Zenoh)", "ports", "disk"} <= {f.what for f in findings}
    assert all(f.good != f.needed for f in findings) and "ZeroDivisionError: whatever" in findings[0].text


def test_another_python_is_said(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1, "final", 0))
    with pytest.raises(LibraryError, match=r"needs 3\.11 to 3\.14"):
        doctor_system.python()


def test_missing_and_old_packages_are_named(monkeypatch):
    versions = {"numpy": "1.26.4", "embreex": "4.4.0"}
    real = metadata.version

    def version(name):
        if name == "mcap":
            raise metadata.PackageNotFoundError(name)
        return versions.get(name) or real(name)

    wanted = ["numpy>=2.0", "embreex==4.4.0.post1", "trimesh>=4.4", "mcap>=1.6", "nowhere>=1; extra == 'test'"]
    monkeypatch.setattr(metadata, "requires", lambda name: wanted)
    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(LibraryError) as error:
        doctor_system.packages()
    text = str(error.value)
    assert "numpy is 1.26.4, >=2.0 is needed" in text and "mcap is missing" in text
    assert "embreex is 4.4.0, ==4.4.0.post1 is needed" in text and "pip install" in text
    assert "trimesh" not in text and "nowhere" not in text


def test_a_full_disk_is_said(monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(doctor_system.shutil, "disk_usage", lambda place: usage(10**9, 10**9, 3_000_000))
    finding = found("disk")
    assert not finding.good and finding.needed and "only 3 MB are free" in finding.text and "make room" in finding.text


def test_a_taken_port_is_named():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        doctor_system._PORTS[port] = "test"
        try:
            finding = found("ports")
        finally:
            del doctor_system._PORTS[port]
    assert not finding.good and not finding.needed and f"{port} (test)" in finding.text


def test_a_library_that_does_not_load_is_named(monkeypatch):
    real = builtins.__import__

    def broken(name, *arguments, **options):
        if name == "mujoco":
            raise ImportError("libGL.so.1: cannot open shared object file", name="mujoco")
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", broken)
    finding = found("robot models (MuJoCo)")
    assert not finding.good and "libGL.so.1" in finding.text and "reinstall the package 'mujoco'" in finding.text


def test_rays_that_measure_wrongly_are_found(monkeypatch):
    from volery.world.scene.scene import Scene

    real = Scene.cast

    def cast(self, *arguments, **options):
        hits = real(self, *arguments, **options)
        np.asarray(hits.distance)[1000] = 2.5
        return hits

    monkeypatch.setattr(Scene, "cast", cast)
    finding = found("rays (Embree)")
    assert not finding.good and "measured as 2.5 m" in finding.text


def test_a_package_without_its_page_is_found(monkeypatch, tmp_path):
    (tmp_path / "volery").mkdir()
    monkeypatch.setattr(doctor_parts.volery, "__file__", str(tmp_path / "volery" / "__init__.py"))
    finding = found("page of the viewer")
    assert not finding.good and "index.html is missing" in finding.text


def test_little_memory_and_no_browser_are_only_remarks(monkeypatch):
    monkeypatch.setattr(doctor_system, "_LITTLE_MEMORY", 1e18)
    monkeypatch.setattr(doctor_system.shutil, "which", lambda name: None)
    for what in ("memory", "browser", "ROS 1"):
        finding = found(what)
        assert not finding.good and not finding.needed and ":" in finding.text
