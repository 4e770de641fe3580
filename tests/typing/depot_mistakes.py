"""Mistakes with bodies, files and answers; type checkers say so on each marked line (S2)."""

from __future__ import annotations

from depot_client import Depot
from depot_client.models import CreateItemHeaders
from depot_client.params import SizeFilterParam

client = Depot()

# Values that a parameter does not take.
client.items.list(colour=["mauve"])  # error
client.items.list(colour=3)  # error
client.items.list(limit="many")  # error
size: SizeFilterParam = {"min": 1, "larger": 2}  # error
client.items.search(near="A-1")  # error

# What is no file, and a file that is missing.
client.items.photos.create(item_id="1", picture=3)  # error
client.items.photos.create(item_id="1", picture="front.png")  # error
client.items.photos.create(item_id="1", picture=("front.png", "text"))  # error
client.items.photos.create(item_id="1", caption="The front")  # error
client.items.photos.create(item_id="1", picture=b"", camera={"exposure": 0.1})  # error
client.items.manual.update(item_id="1", body={"pages": 3})  # error
client.items.manual.update(item_id="1")  # error

# The arguments of one media type with another, and a media type that there is not.
client.shipments.create(items=["1"])  # error
client.shipments.create(items=["1"], content_type="application/json")  # error
client.shipments.create(express=True, content_type="application/x-www-form-urlencoded")  # error
client.shipments.create(items=["1"], content_type="text/plain")  # error

# An argument of a body that is given must be right, and be one.
client.shipments.cancel(shipment_id="1", reason=3)  # error
client.shipments.cancel(shipment_id="1", because="late")  # error

# One of several results is none of them for certain.
print(client.shipments.create(body={"by": "pickup", "items": ["1"]}).ticket)  # error
kept = client.items.replace(item_id="1", name="a", colour="red", price="1", shelf="A-1")
print(kept.name)  # error
print(client.items.delete(item_id="1").name)  # error
print(client.items.label.retrieve(item_id="1").decode())  # error

# A download has no path of its own; what headers say is not more than declared.
raw = client.items.with_raw_response.retrieve(item_id="1")
print(raw.parse_headers(CreateItemHeaders).age)  # error
print(raw.parse_headers(CreateItemHeaders).location.upper())  # error
with client.items.photos.with_streaming_response.retrieve(item_id="1", photo_id="2") as response:
    response.write_to()  # error
    response.write_to("photo.png", progress=3)  # error
