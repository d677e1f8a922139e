"""What pyproject.toml asks for is what is locked, and what is tested is what is installed."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def asked(group: str | None = None) -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = project["dependency-groups"][group] if group else project["project"]["dependencies"]
    pins = [Requirement(line) for line in lines]
    return {canonicalize_name(pin.name): str(pin.specifier) for pin in pins}


def locked(name: str) -> dict[str, tuple[str, frozenset[str]]]:
    """By name: the pin with its marker, and the hashes."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    entries: dict[str, tuple[str, frozenset[str]]] = {}
    for line in text.splitlines():
        if line.strip() and not line.strip().startswith("#"):
            pin, *hashes = line.split(" --hash=")
            entries[Requirement(pin).name] = (pin.strip(), frozenset(map(str.strip, hashes)))
    return entries


def asked_for(name: str) -> set[str]:
    """The packages that a file says pyproject.toml names itself."""
    found: set[str] = set()
    package = ""
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith((" ", "#")):
            package = Requirement(line.removesuffix("\\")).name
        elif "velha (pyproject.toml" in line:
            found.add(package)
    return found


@pytest.mark.parametrize(
    ("name", "pins"),
    [
        ("requirements.txt", asked()),
        ("requirements-play.txt", asked() | asked("play")),
        ("requirements-dev.txt", asked() | asked("dev")),
    ],
)
def test_what_is_asked_for_is_locked_and_nothing_else(name: str, pins: dict[str, str]) -> None:
    lock = locked(name)
    assert {package: str(Requirement(lock[package][0]).specifier) for package in pins} == pins
    assert asked_for(name) == set(pins)


def test_what_is_tested_is_what_is_installed() -> None:
    files = ("requirements.txt", "requirements-play.txt", "requirements-dev.txt")
    deployed, played, tested = (
        {(name, hashes) for name, (_pin, hashes) in locked(file).items()} for file in files
    )
    assert deployed <= played <= tested


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-play.txt", "requirements-dev.txt"]
)
def test_every_package_has_hashes(name: str) -> None:
    assert all(hashes for _, hashes in locked(name).values())


def test_a_package_is_locked_with_the_extras_that_others_ask_for() -> None:
    # Without the extra in the lock, an older pip takes the newest release, and has no hash for it.
    pins = {name: Requirement(pin) for name, (pin, _) in locked("requirements-dev.txt").items()}
    asked_for_extras = [
        requirement
        for pin in pins.values()
        if pin.marker is None or pin.marker.evaluate()
        for requirement in map(Requirement, metadata.requires(pin.name) or [])
        if requirement.extras and requirement.name in pins
        if requirement.marker is None
        or any(requirement.marker.evaluate({"extra": extra}) for extra in pin.extras or {""})
    ]
    assert asked_for_extras
    assert all(wanted.extras <= pins[wanted.name].extras for wanted in asked_for_extras)
