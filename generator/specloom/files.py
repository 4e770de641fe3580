"""The only writer: puts a client on disk, or says how the disk differs.

A client owns the files that it consists of, the whole of its package under ``src/``, and the tests
in ``tests/generated/``. Whatever else lies in its folder (a licence, other tests, a repository)
belongs to somebody, and is left alone.
"""

from __future__ import annotations

import difflib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .diagnostics import Origin, Report, Stop
from .render import MARK, Files

_STAGING = ".specloom-"
"""How folders begin in which something is prepared, or what a killed run left behind."""

_FORGOTTEN = 3600
"""Seconds after which no run can still be at work in such a folder."""

_PROJECT = PurePosixPath("pyproject.toml")
_SOURCES = PurePosixPath("src")
_TESTS = PurePosixPath("tests", "generated")


def write(files: Files, root: Path, report: Report) -> bool:
    """Make what a client owns below ``root`` hold exactly ``files``; return if anything changed.

    Everything is written beside first and then swapped in, and swapped back should that fail or
    be interrupted, so that the folder is as it was or as it should be. Raises ``Stop`` after
    reporting a folder that is no client, files of somebody else inside the package, or a disk
    that refuses.
    """
    try:
        root = root.resolve()
        _check(files, root, report)
        if _on_disk(files, root) == {path: text.encode() for path, text in files.items()}:
            return False
        root.mkdir(parents=True, exist_ok=True)
        _sweep(root)
        staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=root))
        try:
            for path, text in files.items():
                target = staging / "new" / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text.encode())
            _swap(_owned(files, root), root, staging)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
            if not any(root.iterdir()):
                root.rmdir()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        message = f"cannot write the client: {reason or error}"
        raise report.fatal("cannot-write", message, _place(root)) from None
    return True


def write_file(text: str, path: Path, mark: str, report: Report) -> bool:
    """Make a file hold exactly a text; return if anything changed.

    The file appears whole or not at all. Raises ``Stop`` after reporting a file that is there and
    was not generated, as its lack of ``mark`` tells, or a disk that refuses.
    """
    data = text.encode()
    try:
        if path.is_char_device() or path.is_fifo():  # such as /dev/stdout
            path.write_bytes(data)
            return True
        path = path.resolve()
        if path.exists() and not path.is_file():
            raise _foreign(f"{path.name!r} is no file; name one", path, report)
        old = path.read_bytes() if path.exists() else b""
        if old == data:
            return False
        if old and mark.encode() not in old:
            message = f"{path.name!r} was not generated, and would be lost; name another file"
            raise _foreign(message, path, report)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=_STAGING, dir=path.parent) as staging:
            new = Path(staging, path.name)
            new.write_bytes(data)
            os.replace(new, path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        message = f"cannot write the file: {reason or error}"
        raise report.fatal("cannot-write", message, _place(path)) from None
    return True


def _sweep(root: Path) -> None:
    """Remove what runs have left that were killed long ago."""
    for left in root.glob(f"{_STAGING}*/"):
        if time.time() - left.stat().st_mtime > _FORGOTTEN:
            shutil.rmtree(left, ignore_errors=True)


def _swap(entries: list[PurePosixPath], root: Path, staging: Path) -> None:
    """Replace each entry below ``root`` by the new one; undo all of it if one cannot be."""
    done: list[PurePosixPath] = []
    try:
        for entry in entries:
            done.append(entry)
            _move(root / entry, staging / "old" / entry)
            _move(staging / "new" / entry, root / entry)
    except BaseException:  # an interruption is no reason to lose anything
        for entry in reversed(done):
            if (staging / "old" / entry).exists():
                if (root / entry).exists():
                    _move(root / entry, staging / "undone" / entry)
                _move(staging / "old" / entry, root / entry)
            elif not (staging / "new" / entry).exists():
                _move(root / entry, staging / "undone" / entry)
        raise


def _move(source: Path, target: Path) -> None:
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)


def compare(files: Files, root: Path) -> Iterator[str]:
    """Yield a unified diff from the disk to ``files``, line by line; nothing when they agree."""
    disk = _on_disk(files, root)
    for path in sorted({*disk, *files}):
        old, new = disk.get(path), files[path].encode() if path in files else None
        if old != new:
            yield from difflib.unified_diff(
                _lines(old),
                _lines(new),
                f"{root.name}/{path}" if old is not None else "/dev/null",
                f"{root.name}/{path}" if new is not None else "/dev/null",
            )


def _lines(content: bytes | None) -> list[str]:
    """Return the lines of a file as a diff shows them, each with an end."""
    text = (content or b"").decode("utf-8", "backslashreplace").replace("\r", "\\r")
    *whole, rest = text.split("\n")
    lines = [f"{line}\n" for line in whole]
    return [*lines, f"{rest}\n\\ No newline at end of file\n"] if rest else lines


def _owned(files: Files, root: Path) -> list[PurePosixPath]:
    """Return what a client owns: packages and tests that are generated, and its other files."""
    owned = {_unit(path) for path in files}
    for folder in (root / _SOURCES).glob("*/"):
        if _is_ours(folder / "__init__.py"):  # of an earlier name of the package
            owned.add(_SOURCES / folder.name)
    return sorted(owned)


def _unit(path: PurePosixPath) -> PurePosixPath:
    """Return the folder that a file is replaced with, or the file where that is alone."""
    if path.parts[0] == "src":
        return _SOURCES / path.parts[1]
    return _TESTS if _TESTS in path.parents else path


def _on_disk(files: Files, root: Path) -> dict[PurePosixPath, bytes]:
    """Return the content of every owned file that is there."""
    found: dict[PurePosixPath, bytes] = {}
    for entry in _owned(files, root):
        path = root / entry
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inside:
            if file.is_file() and "__pycache__" not in file.parts:
                found[PurePosixPath(file.relative_to(root).as_posix())] = file.read_bytes()
    return found


def _check(files: Files, root: Path, report: Report) -> None:
    """Refuse a folder whose files would be lost: one that is no client, or holds more than it."""
    if not root.exists():
        return
    if not root.is_dir():
        raise _foreign(f"{root.name!r} is a file; name a folder", root, report)
    found = sorted(p.name for p in root.iterdir() if not p.name.startswith(_STAGING))
    if not found:
        return
    if not (root / _PROJECT).is_file():
        example = found[0]
        reason = f"this is no generated client: it has {example!r}, but no pyproject.toml"
        raise _foreign(f"{reason}; name a new folder with -o", root, report)
    if not _is_ours(root / _PROJECT):
        reason = "this is no generated client: its pyproject.toml was not generated"
        raise _foreign(f"{reason}; name a new folder with -o", root, report)
    for path in _on_disk(files, root):
        replaced = path in files and _TESTS not in path.parents
        generated = replaced or "_runtime" in path.parts or path.name == "py.typed"
        if not generated and not _is_ours(root / path):
            reason = f"{path} was not generated, and would be lost; move it out of this folder"
            raise _foreign(reason, root / path, report)


def _foreign(message: str, path: Path, report: Report) -> Stop:
    return report.fatal("foreign-files", message, _place(path))


def _is_ours(path: Path) -> bool:
    """Whether a file begins by saying that it was generated."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return MARK.encode() in file.readline()


def _place(path: Path) -> Origin:
    return Origin(path.absolute().as_uri())
