"""Files: which properties of forms are some, how they are annotated, who has any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .. import ir
from .imports import Imports

Types = Mapping[ir.TypeId, ir.Declaration]


@dataclass(frozen=True, slots=True)
class Uploads:
    """The properties of an API that are files where their model is a form."""

    types: Types
    files: frozenset[tuple[ir.TypeId, str]]

    @classmethod
    def of(cls, api: ir.Api) -> Uploads:
        """Find the files in the forms of an API."""
        files = frozenset(
            (content.type.target, field.name)
            for operation in api.operations
            for content in (() if operation.body is None else operation.body.contents)
            if isinstance(content, ir.Multipart) and isinstance(content.type, ir.Ref)
            for field in content.fields
            if field.file
        )
        return cls(api.types, files)

    def has(self, owner: ir.TypeId, prop: ir.Property) -> bool:
        """Return whether a property of a model is a file."""
        return (owner, prop.name) in self.files

    def annotation(self, type_: ir.Type, write: Callable[[ir.Type], str], imports: Imports) -> str:
        """Return the annotation of a file, or several; what else it may be, ``write`` prints."""
        return upload(type_, self.types, write, imports)


def upload(type_: ir.Type, types: Types, write: Callable[[ir.Type], str], imports: Imports) -> str:
    """Return the annotation of a file, or several; what else it may be, ``write`` prints."""
    if isinstance(type_, ir.Union) and ir.NULL in type_.members:
        return f"{upload(bare(type_, types), types, write, imports)} | None"
    match bare(type_, types):
        case ir.Array(item):
            imports.add("collections.abc", "Iterable")
            return f"Iterable[{upload(item, types, write, imports)}]"
        case ir.Union(members):
            annotations = (upload(member, types, write, imports) for member in members)
            return " | ".join(dict.fromkeys(annotations))
        case ir.Primitive("string") | ir.Unknown():
            imports.add(".._runtime", "FileInput")
            return "FileInput"
        case other:
            return write(other)


def bare(type_: ir.Type, types: Types) -> ir.Type:
    """Return a type without null; of a name, what it stands for unless that is an object."""
    seen: set[ir.TypeId] = set()
    while True:
        if isinstance(type_, ir.Union):
            match tuple(m for m in type_.members if m != ir.NULL):
                case (only,):
                    type_ = only
                case several:
                    return ir.Union(several)
        declared = types[type_.target] if isinstance(type_, ir.Ref) else None
        if not isinstance(declared, ir.Alias) or declared.id in seen:
            return type_
        seen.add(declared.id)
        type_ = declared.type


def uploads_files(api: ir.Api) -> bool:
    """Return whether some operation of an API takes files, as a body or in a form."""
    bodies = (operation.body for operation in api.operations)
    contents = (content for body in bodies if body is not None for content in body.contents)
    return any(
        isinstance(content, ir.Binary)
        or (isinstance(content, ir.Multipart) and any(field.file for field in content.fields))
        for content in contents
    )


def downloads_files(api: ir.Api) -> bool:
    """Return whether some operation of an API gives bytes."""
    responses = (response for operation in api.operations for response in operation.responses)
    return any(
        isinstance(content, ir.Binary)
        for response in responses
        if ir.is_success(response.status)
        for content in response.contents
    )
