"""Ordinary bodies, files and answers; type checkers have nothing to say about them (S1)."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator
from decimal import Decimal
from pathlib import Path

from depot_client import APIStatusError, AsyncDepot, Depot, FileInput, NotFoundError, omit
from depot_client.models import (
    CreateItemHeaders,
    Item,
    Missing,
    Photo,
    Problem,
    Shipment,
    Ticket,
)
from depot_client.params import AddressParam, SizeFilterParam

HOME: AddressParam = {"lines": ["1 Main Street"], "country": "FR"}
SMALL: SizeFilterParam = {"max": 3}


def look(client: Depot) -> list[str]:
    """Parameters of several styles and places, and a whole query."""
    page = client.items.list(colour=["red", "blue"], size=SMALL, limit=5, x_trace="morning")
    found: list[Item] = client.items.search(words=("small", "kettle"), near="A-1")
    metres: float = client.shelves.distance.retrieve(from_="A-1", to="B-2")
    print(metres + 1)
    return [item.name for item in page] + [item.name for item in found]


def show(client: Depot, item: str, camera: str) -> Photo:
    """A form of files: paths, content, open files, and content with names and types."""
    picture: FileInput = ("front.png", b"\x89PNG", "image/png", {"X-Rank": "1"})
    with open("back.png", "rb") as opened:
        client.items.photos.create(
            item_id=item,
            picture=picture,
            details=[Path("left.png"), opened, b"\x89PNG", ("right.png", opened)],
            camera={"maker": camera, "exposure": 0.1},
            labels=["new"],
        )
    return client.items.photos.create(item_id=item, picture=Path("front.png"), caption=omit)


def pages() -> Iterator[bytes]:
    """Content that is made while it is sent."""
    yield b"%PDF"


async def later() -> AsyncIterator[bytes]:
    """Content that is waited for while it is sent."""
    yield b"%PDF"


def explain(client: Depot, item: str) -> None:
    """A body of bytes, a path, a file or an iterator."""
    client.items.manual.update(item_id=item, body=b"%PDF")
    client.items.manual.update(item_id=item, body=Path("manual.pdf"))
    client.items.manual.update(item_id=item, body=pages())


def order(client: Depot, items: list[str]) -> Shipment | Ticket:
    """Several media types of one body, and several results of one call."""
    sent = client.shipments.create(items=items, content_type="application/x-www-form-urlencoded")
    if isinstance(sent, Ticket):
        print(sent.position + 1)
    else:
        print(sent.ordered_at + dt.timedelta(days=1))
    return client.shipments.create(body={"by": "courier", "items": items, "address": HOME})


def take_back(client: Depot, shipment: str, reason: str | None) -> Shipment:
    """A body that may be left out whole."""
    if reason is None:
        return client.shipments.cancel(shipment_id=shipment)
    return client.shipments.cancel(shipment_id=shipment, reason=reason)


def change(client: Depot, item: str) -> Decimal:
    """A merge patch keeps null and nothing apart; a result may be nothing."""
    changed = client.items.update(item_id=item, best_before=None)
    kept = client.items.replace(
        item_id=item, name="Kettle", colour="red", price=Decimal("19.90"), shelf="A-1"
    )
    return changed.price if kept is None else kept.price


def keep(client: Depot, item: str, photo: str, folder: Path) -> Path:
    """A download goes to disk; what headers say has types."""
    small: bytes = client.items.photos.retrieve(item_id=item, photo_id=photo)
    text: str = client.items.label.retrieve(item_id=item)
    print(len(small), text.title())
    raw = client.items.with_raw_response.create(name="Cup", colour="red", price="2.50", shelf="A-2")
    location: str | None = raw.parse_headers(CreateItemHeaders).location
    made: Item = raw.parse()
    print(location, made.name)

    def progress(come: int, total: int | None) -> None:
        print(come, total)

    with client.items.photos.with_streaming_response.retrieve(
        item_id=item, photo_id=photo
    ) as response:
        return response.write_to(folder / "photo.png", progress=progress)


def missing_since(client: Depot, item: str) -> dt.datetime | None:
    """An error is of the type that is declared for its status; nothing that came is lost."""
    try:
        client.items.retrieve(item_id=item)
    except NotFoundError as error:
        if isinstance(error.error, Missing):
            return error.error.gone_since
        print(error.body)
    except APIStatusError as error:
        if isinstance(error.error, Problem):
            print(error.error.title, error.status_code)
    return None


async def all_at_once(client: AsyncDepot, item: str, photo: str, folder: Path) -> Shipment | Ticket:
    """The same of the asynchronous client."""
    await client.items.photos.create(item_id=item, picture=b"\x89PNG", details=[Path("left.png")])
    await client.items.manual.update(item_id=item, body=later())
    async with client.items.photos.with_streaming_response.retrieve(
        item_id=item, photo_id=photo
    ) as response:
        print((await response.write_to(folder / "photo.png")).name)
    return await client.shipments.create(
        items=["1"], express=True, content_type="application/x-www-form-urlencoded"
    )
