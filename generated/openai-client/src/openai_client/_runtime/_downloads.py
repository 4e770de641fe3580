"""Content that goes to disk: all of it under its name, or none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeAlias

import httpx2

__all__ = ["Download", "Progress"]

Progress: TypeAlias = Callable[[int, int | None], object]
"""Is told how many bytes have come, and how many there will be if the server said.

An asynchronous client awaits what it returns, if that can be awaited.
"""


class Download:
    """A file that appears when it is complete.

    Until then the content lies beside it, under a name that begins with a dot. What was
    there before stays there when the content does not come to its end.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        response: httpx2.Response,
        progress: Progress | None,
    ) -> None:
        """Prepare to write the content of a response to ``path``."""
        self.path = Path(path)
        self._beside = self.path.with_name(
            f".{self.path.name}.{os.urandom(4).hex()}.part"
        )
        self._response = response
        self._progress = progress
        length: str = response.headers.get("content-length", "")
        self._total = int(length) if length.isdecimal() else None
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        """Begin the file; raises OSError where that is not possible."""
        self._file = self._beside.open("xb")
        return self

    def write(self, piece: bytes) -> None:
        """Write a piece of the content."""
        assert self._file is not None, "the file is open inside the block"
        self._file.write(piece)

    def told(self) -> object:
        """Tell how far the download is, and give what came of that."""
        if self._progress is None:
            return None
        return self._progress(self._response.num_bytes_downloaded, self._total)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the file its name, or take it away after an error."""
        assert self._file is not None, "the file is open inside the block"
        try:
            self._file.close()
            if error is None:
                self._beside.replace(self.path)
        finally:
            self._beside.unlink(missing_ok=True)
