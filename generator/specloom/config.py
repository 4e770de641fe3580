"""What ``specloom.toml`` says about a client; everything else comes from its descriptions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from .diagnostics import Origin, Report

FILE = "specloom.toml"
Methods = Literal["tags", "paths"]


@dataclass(frozen=True, slots=True)
class Config:
    """How one client is made.

    ``root`` is the folder of the description; the other fields are the keys of the file, and
    ``None`` or empty where it does not speak of them.
    """

    root: Path
    descriptions: tuple[str, ...]
    overlays: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name: str | None = None
    package: str | None = None
    class_name: str | None = None
    version: str | None = None
    methods: Methods = "tags"
    api_key_variable: str | None = None
    base_url_variable: str | None = None
    stream_end: str | None = None
    error_envelope: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


_KEYS: Mapping[str, tuple[str, type]] = {
    "descriptions": ("descriptions", list),
    "overlays": ("overlays", dict),
    "name": ("name", str),
    "package": ("package", str),
    "class": ("class_name", str),
    "version": ("version", str),
    "methods": ("methods", str),
    "environment.api_key": ("api_key_variable", str),
    "environment.base_url": ("base_url_variable", str),
    "streaming.end": ("stream_end", str),
    "errors.envelope": ("error_envelope", str),
    "names": ("names", dict),
}
_TABLES = {key.split(".")[0] for key in _KEYS if "." in key}
_TYPES: Mapping[object, str] = {
    str: "a string",
    list: "a list of strings",
    dict: "a table of strings",
    "overlays": "a table of lists of strings",
}


def read_config(target: Path, report: Report) -> Config:
    """Return the configuration of a target: a folder with a ``specloom.toml``, or a description.

    Raises ``Stop`` after reporting a file that cannot be read, a syntax error, an unknown key or
    a value of the wrong type.
    """
    if not target.is_dir():
        return Config(target.parent, (target.name,))
    path = target / FILE
    origin = Origin(FILE)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        message = f"the folder {target} has no {FILE}; name a description, or add one"
        raise report.fatal("missing-file", message, origin) from None
    except (OSError, UnicodeDecodeError) as error:
        raise report.fatal("unreadable-file", f"cannot read {FILE}: {error}", origin) from None
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        at = Origin(FILE, f"@{place[1]}:{place[2]}") if place else origin
        message = re.sub(r" \(at .*\)$", "", str(error))
        raise report.fatal("invalid-toml", f"this is not TOML: {message}", at) from None
    config = Config(root=target, **{"descriptions": (), **_checked(written, report)})
    if report.failed:
        raise report.stop()
    return config


def _checked(written: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the fields that the file sets; report every key that is unknown or ill-typed."""
    found: dict[str, Any] = {}
    for key, value in _flat(written):
        origin = Origin(FILE)
        for token in key.split("."):
            origin /= token
        if key not in _KEYS:
            known = ", ".join(sorted(_KEYS))
            report.error("unknown-key", f"unknown key {key!r}; the keys are {known}", origin)
            continue
        name, type_ = _KEYS[key]
        if key == "overlays" and isinstance(value, dict):
            value = {k: tuple(v) if isinstance(v, list) else v for k, v in value.items()}
            fits = all(isinstance(v, tuple) and _texts(v) for v in value.values())
        else:
            fits = isinstance(value, type_) and _texts(_members(value))
        if not fits:
            report.error("invalid-value", f"{key!r} must be {_TYPES[key if key == 'overlays' else type_]}", origin)
        elif key == "methods" and value not in ("tags", "paths"):
            report.error("invalid-value", "'methods' must be \"tags\" or \"paths\"", origin)
        elif key == "package" and not value.isidentifier():
            report.error("invalid-value", f"{value!r} is not a Python identifier", origin)
        else:
            found[name] = tuple(value) if type_ is list else value
    if not found.get("descriptions") and not report.failed:
        report.error("missing-key", "'descriptions' must list at least one file", Origin(FILE))
    return found


def _flat(written: Mapping[str, Any]) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in written.items():
        if key in _TABLES and isinstance(value, dict):
            pairs += [(f"{key}.{inner}", v) for inner, v in cast(dict[str, Any], value).items()]
        else:
            pairs.append((key, value))
    return pairs


def _members(value: object) -> list[object]:
    match value:
        case list():
            return list(cast(list[object], value))
        case dict():
            return list(cast(dict[str, object], value).values())
        case _:
            return []


def _texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def locate(text: str, origin: Origin) -> tuple[int, int]:
    """Return line and column, from 1, of a key in the text of a configuration file."""
    if origin.pointer.startswith("@"):
        line, _, column = origin.pointer[1:].partition(":")
        return int(line), int(column)
    *tables, key = origin.tokens or ("",)
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+\s*(.*?)\s*\]+", line):
            current = header[1].strip("\"'")
            if not tables and current == key:
                return number, line.index("[") + 1
        elif current == ".".join(tables) and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number, len(line) - len(line.lstrip()) + 1
    return 1, 1
