"""``names.lock``: the names that a client has given out, so that they stay when others are added.

The file stands beside ``specloom.toml`` and is committed with it. Names that the configuration or
the description state themselves take precedence; a name whose type or operation has gone is
forgotten.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from .diagnostics import Origin, Report

FILE = "names.lock"
_HEADER = """\
# The names that this client has given out, by the places of what they name.
# `specloom generate` keeps this file: commit it. Without a line, its name is chosen anew.
"""


class Lock(BaseModel):
    """Names by origin: of types as they are read and written, and of methods with their resources.

    ``style`` is the way that methods were named in; with another, their names are new.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    style: str = ""
    models: Mapping[str, str] = {}
    params: Mapping[str, str] = {}
    methods: Mapping[str, str] = {}


EMPTY = Lock()


@dataclass(frozen=True, slots=True)
class Renaming:
    """A name that users of the client know, and what has become of it."""

    kind: str
    old: str
    new: str | None

    def __str__(self) -> str:
        """Say it in a line."""
        return f"{self.kind} {self.old} " + (f"is now {self.new}" if self.new else "is gone")


def read_lock(folder: Path, report: Report) -> Lock:
    """Return the names in a folder's ``names.lock``; none where there is no such file or folder.

    Raises ``Stop`` after reporting a file that cannot be read, such as one with the marks of a
    merge in it.
    """
    origin = Origin(FILE)
    path = folder / FILE
    hint = "restore the file, or delete it to have all names chosen anew"
    try:
        return Lock.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return EMPTY
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        at = Origin(FILE, f"@{place[1]}:{place[2]}") if place else origin
        reason = str(error).partition(" (at ")[0]
        message = f"this is not TOML: {reason[:1].lower()}{reason[1:]}; {hint}"
        raise report.fatal("invalid-lock", message, at) from None
    except ValidationError:
        message = f"the tables here are models, params and methods, from text to text; {hint}"
        raise report.fatal("invalid-lock", message, origin) from None
    except (OSError, UnicodeDecodeError) as error:
        if not folder.is_dir():
            return EMPTY  # what is wrong with the target itself, loading it will say
        raise report.fatal("unreadable-file", f"cannot read {FILE}: {error}", origin) from None


def renamings(old: Lock, new: Lock) -> Iterator[Renaming]:
    """Yield what users of a client would miss: names that changed, and names that went."""
    for kind in ("models", "params", "methods"):
        before: Mapping[str, str] = getattr(old, kind)
        after: Mapping[str, str] = getattr(new, kind)
        kept = set(after.values())
        for origin, name in before.items():
            if name not in kept:
                yield Renaming(kind.removesuffix("s"), name, after.get(origin))


def write_lock(folder: Path, lock: Lock, report: Report) -> None:
    """Keep the names in a folder's ``names.lock``, which appears whole or not at all.

    Raises ``Stop`` after reporting a disk that refuses.
    """
    path, text = folder / FILE, printed(lock)
    try:
        if not path.is_file() or path.read_text("utf-8") != text:
            new = path.with_name(f".{FILE}-new")
            new.write_text(text, "utf-8", newline="\n")
            new.replace(path)
    except OSError as error:
        message = f"cannot write {FILE}: {error.strerror}"
        raise report.fatal("cannot-write", message, Origin(FILE)) from None


def compare_lock(folder: Path, lock: Lock) -> Iterator[str]:
    """Yield a unified diff from a folder's ``names.lock`` to ``lock``; nothing if they agree."""
    path = folder / FILE
    old = path.read_text("utf-8") if path.is_file() else ""
    name = str(path)
    before, after = (text.splitlines(keepends=True) for text in (old, printed(lock)))
    yield from difflib.unified_diff(before, after, name if old else "/dev/null", name)


def printed(lock: Lock) -> str:
    """Return the text of a lock: a line for each name, in the order of the places."""
    lines = [f"style = {_quoted(lock.style)}"]
    tables = (("models", lock.models), ("params", lock.params), ("methods", lock.methods))
    for title, names in tables:
        if names:
            lines += ["", f"[{title}]"]
            lines += [f"{_quoted(origin)} = {_quoted(names[origin])}" for origin in sorted(names)]
    return _HEADER + "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a basic string of TOML, which escapes as JSON does, and DEL too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
