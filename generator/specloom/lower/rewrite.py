"""Types with their uses replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from .. import ir
from .unions import union


def rewrite(type_: ir.Type, use: Callable[[ir.Ref], ir.Type]) -> ir.Type:
    """Return a type with each reference replaced by what ``use`` says, in normal form."""
    match type_:
        case ir.Ref():
            return use(type_)
        case ir.Array(item, constraints):
            inner = rewrite(item, use)
            return type_ if inner is item else ir.Array(inner, constraints)
        case ir.Tuple(places, rest, constraints):
            inside = tuple(rewrite(place, use) for place in places)
            return ir.Tuple(inside, rewrite(rest, use), constraints)
        case ir.Map(value, constraints):
            inner = rewrite(value, use)
            return type_ if inner is value else ir.Map(inner, constraints)
        case ir.Union(members, tagging):
            rewritten = [rewrite(member, use) for member in members]
            if all(new is old for new, old in zip(rewritten, members, strict=True)):
                return type_
            result = union(rewritten)
            if tagging is None or not isinstance(result, ir.Union):
                return result
            return replace(result, tagging=_retagged(tagging, use))
        case ir.Primitive() | ir.Literal() | ir.Unknown() | ir.Never():
            return type_
        case _:
            assert_never(type_)


def _retagged(tagging: ir.Tagging, use: Callable[[ir.Ref], ir.Type]) -> ir.Tagging:
    def renamed(target: ir.TypeId) -> ir.TypeId:
        used = use(ir.Ref(target))
        return used.target if isinstance(used, ir.Ref) else target

    members = tuple((value, renamed(target)) for value, target in tagging.members)
    match tagging:
        case ir.Discriminated(_, _, fallback) if fallback is not None:
            return replace(tagging, members=members, fallback=renamed(fallback))
        case _:
            return replace(tagging, members=members)


def map_declaration(
    declared: ir.Declaration, change: Callable[[ir.Type], ir.Type]
) -> ir.Declaration:
    """Return a declaration with ``change`` applied to each type it holds."""
    match declared:
        case ir.Alias():
            return replace(declared, type=change(declared.type))
        case ir.Model():
            properties = tuple(_map_property(p, change) for p in declared.properties)
            return replace(declared, properties=properties, additional=change(declared.additional))


def _map_property(prop: ir.Property, change: Callable[[ir.Type], ir.Type]) -> ir.Property:
    type_ = change(prop.type)
    return prop if type_ is prop.type else replace(prop, type=type_)


def map_operation(operation: ir.Operation, change: Callable[[ir.Type], ir.Type]) -> ir.Operation:
    """Return an operation with ``change`` applied to each type it holds."""

    def values(parameters: tuple[ir.Parameter, ...]) -> tuple[ir.Parameter, ...]:
        return tuple(replace(p, type=change(p.type)) for p in parameters)

    def content(value: ir.Content) -> ir.Content:
        match value:
            case ir.Json():
                return replace(value, type=change(value.type))
            case ir.Form() | ir.Multipart():
                fields = tuple(replace(f, headers=values(f.headers)) for f in value.fields)
                return replace(value, type=change(value.type), fields=fields)
            case ir.Text() | ir.Binary():
                return value
            case _:
                assert_never(value)

    def contents(several: tuple[ir.Content, ...]) -> tuple[ir.Content, ...]:
        return tuple(content(value) for value in several)

    def headers(model: ir.Ref | None) -> ir.Ref | None:
        changed = None if model is None else change(model)
        return changed if isinstance(changed, ir.Ref) else model

    body, stream, pages = operation.body, operation.streaming, operation.pagination
    return replace(
        operation,
        parameters=values(operation.parameters),
        body=None if body is None else replace(body, contents=contents(body.contents)),
        responses=tuple(
            replace(r, contents=contents(r.contents), headers=headers(r.headers))
            for r in operation.responses
        ),
        streaming=None if stream is None else _map_streaming(stream, change),
        pagination=(
            None
            if pages is None
            else replace(pages, body=change(pages.body), item=change(pages.item))
        ),
    )


def _map_streaming(stream: ir.Streaming, change: Callable[[ir.Type], ir.Type]) -> ir.Streaming:
    events = tuple(replace(event, type=change(event.type)) for event in stream.events)
    return replace(stream, item=change(stream.item), events=events)


def map_webhook(webhook: ir.Webhook, change: Callable[[ir.Type], ir.Type]) -> ir.Webhook:
    """Return a webhook with ``change`` applied to each type it holds."""
    headers = tuple(replace(header, type=change(header.type)) for header in webhook.headers)
    type_ = None if webhook.type is None else change(webhook.type)
    return replace(webhook, type=type_, headers=headers)
