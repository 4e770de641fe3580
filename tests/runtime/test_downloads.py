"""Content that goes to disk: complete or not at all."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from runtime import APIConnectionError, APIResponse, AsyncAPIResponse

CONTENT = b"0123456789" * 1000


class Body(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """Content that comes in pieces, and may break off."""

    def __init__(self, breaks: bool) -> None:
        self._breaks = breaks

    def __iter__(self) -> Iterator[bytes]:
        yield CONTENT[:4000]
        if self._breaks:
            raise httpx2.ReadError("gone")
        yield CONTENT[4000:]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def answer(breaks: bool = False, length: int | None = None) -> httpx2.Response:
    headers = {} if length is None else {"Content-Length": str(length)}
    request = httpx2.Request("GET", "http://h/")
    return httpx2.Response(200, headers=headers, stream=Body(breaks), request=request)


def write(kind: str, response: httpx2.Response, path: Any, **options: Any) -> Path:
    if kind == "sync":
        plain: APIResponse[bytes] = APIResponse(
            response, lambda: response.content, retries_taken=0, request_id=None, reads=True
        )
        return plain.write_to(path, **options)
    wrapped: AsyncAPIResponse[bytes] = AsyncAPIResponse(
        response, lambda: response.content, retries_taken=0, request_id=None, reads=True
    )

    async def run() -> Path:
        return await wrapped.write_to(path, **options)

    return anyio.run(run, backend=kind)


class Told:
    """Remembers how far a download was each time that it said so."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int | None]] = []

    def __call__(self, come: int, total: int | None) -> None:
        self.steps.append((come, total))


each_kind = pytest.mark.parametrize("kind", ["sync", "asyncio", "trio"])


@each_kind
def test_writes_the_content_and_says_how_far_it_is(kind: str, tmp_path: Path) -> None:
    told = Told()
    path = tmp_path / "report.pdf"
    response = answer(length=len(CONTENT))
    found = write(kind, response, str(path), progress=told)
    assert found == path
    assert path.read_bytes() == CONTENT
    assert told.steps == [(4000, 10000), (10000, 10000)]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_an_asynchronous_progress_is_awaited(backend: str, tmp_path: Path) -> None:
    steps: list[int] = []

    async def told(come: int, _: int | None) -> None:
        await anyio.sleep(0)
        steps.append(come)

    write(backend, answer(), tmp_path / "a", progress=told)
    assert steps == [4000, 10000]


@each_kind
def test_does_not_know_the_total_unless_told(kind: str, tmp_path: Path) -> None:
    told = Told()
    write(kind, answer(), tmp_path / "a", progress=told)
    assert told.steps == [(4000, None), (10000, None)]


@each_kind
def test_what_breaks_off_leaves_what_was_there(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with pytest.raises(APIConnectionError):
        write(kind, answer(breaks=True), path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


@each_kind
def test_a_progress_that_raises_ends_the_download(kind: str, tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(kind, answer(), tmp_path / "a", progress=stop)
    assert list(tmp_path.iterdir()) == []


@each_kind
def test_a_folder_that_is_not_there_is_said_by_the_system(kind: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(kind, answer(), tmp_path / "gone" / "a")


def test_an_answer_that_was_read_can_be_written_too(tmp_path: Path) -> None:
    request = httpx2.Request("GET", "http://h/")
    read = httpx2.Response(200, content=CONTENT, request=request)
    assert write("sync", read, tmp_path / "a").read_bytes() == CONTENT


def test_files_of_several_threads_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "a"
    threads = [threading.Thread(target=write, args=("sync", answer(), path)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [path]
