"""What must hold of a client whatever the texts of its description are."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import itertools
import re
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import cast
from unicodedata import normalize

from markdown_it import MarkdownIt
from markdown_it.token import Token

from specloom.python.package import Package
from specloom.render import Files

from .descriptions import Written
from .texts import read

_KNOWN = frozenset(dir(builtins)) | {"__name__", "__all__"}
_SUFFIX = re.compile(r"With(Raw|Streaming)Response$")
"""What templates add to the names of classes, besides ``Async`` in front."""
_TRIED = re.compile(r"(?:test|check)_|_async$|_(?:ANSWER|EVENTS)$")
"""What the names of tests, and of what these have in common, are made of."""
_TESTING = re.compile(r"(?:await )?(?:(?:async_)?client|tolerant|api)\.|check_[^.]+$")
"""What statements of tests call."""
_DEFAULT = re.compile(r"""Default:("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")
_MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Plain:
    """What a client has whose description holds no hostile text: it comes from the templates."""

    bound: frozenset[str]
    calls: frozenset[str | None]
    keys: frozenset[str]
    blocks: frozenset[tuple[str, ...]]


def plain(clients: Sequence[Files]) -> Plain:
    """Return what the templates bring along, from clients of harmless descriptions."""
    bound: set[str] = set()
    calls: set[str | None] = set()
    keys: set[str] = set()
    blocks: set[tuple[str, ...]] = set()
    for files in clients:
        for _, tree in _modules(files):
            bound |= _bound(tree)
            calls |= {_called(node) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        bound |= _exported(files)
        keys |= set(_keys(tomllib.loads(files[PurePosixPath("pyproject.toml")])))
        blocks |= set(_sections(files[PurePosixPath("README.md")]))
    return Plain(frozenset(bound), frozenset(calls - {None}), frozenset(keys), frozenset(blocks))


def problems(files: Files, package: Package, written: Written, harmless: Plain) -> Iterator[str]:
    """Yield what does not hold of a client."""
    try:
        modules = list(_modules(files))
    except (SyntaxError, ValueError) as error:
        yield f"a module does not parse: {error}"
        return
    model = set(_strings(package))
    # Constants of tests are named after methods, and read as Python reads identifiers.
    model |= {normalize("NFKC", text.upper()) for text in model} | {"tolerant"}
    for path, tree in modules:
        for name in sorted(_bound(tree) - harmless.bound):
            bare = _SUFFIX.sub("", name)
            if not model & {name, bare, bare.removeprefix("Async"), *_tried(path, name)}:
                yield f"{path} binds {name!r}, which the code model does not have"
        for name in sorted(_loaded(tree) - _bound(tree) - _KNOWN):
            yield f"{path} uses {name!r}, which is not bound in it"
        yield from (
            f"{path}:{line} holds a statement of its own"
            for line in _stray(tree, harmless.calls, path.parts[0] == "tests")
        )
    yield from _metadata(files, harmless)
    yield from _documents(files, written, harmless)
    yield from _values([tree for path, tree in modules if path.parts[0] == "src"], written)


def _modules(files: Files) -> Iterator[tuple[PurePosixPath, ast.Module]]:
    """Yield the modules that templates made; a warning about their syntax is an error."""
    for path, text in files.items():
        if path.suffix in (".py", ".pyi") and "_runtime" not in path.parts:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                tree = ast.parse(text.encode(), str(path))
                compile(tree, str(path), "exec", dont_inherit=True)
            yield path, tree


# Names -------------------------------------------------------------------------------------------


def _bound(tree: ast.Module) -> set[str]:
    """Return the names that a module binds, in whichever scope."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                names.add(name)
            case ast.alias(name=name, asname=asname):
                names.add(asname or name.partition(".")[0])
            case _:
                pass
    return names


def _tried(path: PurePosixPath, name: str) -> Iterator[str]:
    """Yield what the code model calls that which a name in a test stands for."""
    if path.parts[0] == "tests":
        yield from (_TRIED.sub("", name), _TRIED.sub("", name, count=1))


def _exported(files: Files) -> set[str]:
    """Return the names that a client's runtime has for the other modules."""
    (text,) = (files[path] for path in files if path.parts[-2:] == ("_runtime", "__init__.py"))
    return _bound(ast.parse(text))


def _loaded(tree: ast.Module) -> set[str]:
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _called(statement: ast.stmt) -> str | None:
    """Return what an expression that stands alone calls, if it is a call."""
    match statement:
        case ast.Expr(value=ast.Call(func=func)):
            return ast.unparse(func)
        case ast.Expr(value=ast.Await(value=ast.Call(func=func))):
            return f"await {ast.unparse(func)}"
        case _:
            return None


def _stray(tree: ast.Module, calls: Set[str | None], tests: bool) -> Iterator[int]:
    """Yield the lines of expressions that stand alone and document nothing.

    Those of ``tests`` may call what is tested.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        before: ast.stmt | None = None
        for index, statement in enumerate(node.body):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                documents = index == 0 or isinstance(before, ast.AnnAssign | ast.Assign)
                if statement.value.value is not ... and not documents:
                    yield statement.lineno
            elif isinstance(statement, ast.Expr) and (called := _called(statement)) not in calls:
                if not (tests and called is not None and _TESTING.match(called)):
                    yield statement.lineno
            before = statement


def _strings(model: object) -> Iterator[str]:
    """Yield every text in a value of frozen dataclasses, tuples and mappings."""
    if isinstance(model, str):
        yield model
    elif dataclasses.is_dataclass(model):
        for field in dataclasses.fields(model):
            yield from _strings(getattr(model, field.name))
    elif isinstance(model, Mapping):
        for key, value in cast(Mapping[object, object], model).items():
            yield from _strings(key)
            yield from _strings(value)
    elif isinstance(model, Iterable):
        for one in cast(Iterable[object], model):
            yield from _strings(one)


# Metadata and documents --------------------------------------------------------------------------


def _metadata(files: Files, harmless: Plain) -> Iterator[str]:
    try:
        stated = tomllib.loads(files[PurePosixPath("pyproject.toml")])
    except tomllib.TOMLDecodeError as error:
        yield f"pyproject.toml is no TOML: {error}"
        return
    if strange := sorted(set(_keys(stated)) - harmless.keys):
        yield f"pyproject.toml has keys of its own: {strange}"


def _keys(table: Mapping[str, object], path: str = "") -> Iterator[str]:
    for key, value in table.items():
        yield path + key
        if isinstance(value, dict):
            yield from _keys(cast(dict[str, object], value), f"{path}{key}.")


def _documents(files: Files, written: Written, harmless: Plain) -> Iterator[str]:
    readme, listing = (files[PurePosixPath(name)] for name in ("README.md", "api.md"))
    sections = list(_sections(readme))
    if not harmless.blocks.issuperset(sections) or len({one[0] for one in sections}) < len(
        sections
    ):
        yield "README.md has other headings, fences or blocks than the template"
    for name, text in (("README.md", readme), ("api.md", listing)):
        for token in _MARKDOWN.parse(text):
            if token.type == "fence" and token.info == "python":
                try:
                    ast.parse(token.content)
                except SyntaxError as error:
                    yield f"{name}: an example does not parse: {error}"
            yield from (f"{name}: {said}" for said in _inside(token))
    yield from _tables(listing)
    title = " ".join(_title(written.document).split()).replace("\0", "\ufffd")  # as Markdown does
    shown = _shown(next(t for t in _MARKDOWN.parse(listing) if t.type == "inline"))
    if shown != title and title:
        yield f"api.md: the title reads {shown!r} and not {title!r}"


def _title(document: Mapping[str, object]) -> str:
    info = document["info"]
    assert isinstance(info, dict)
    return read(str(cast(dict[str, object], info)["title"]))


def _shown(inline: Token) -> str:
    """Return what a reader sees of a line."""
    return "".join(child.content for child in inline.children or ())


def _sections(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the sections of a document, each as its heading and the kinds of its blocks.

    Which sections there are depends on the description, what is in one hardly does. The first
    section has no heading: the title of the document is the API's.
    """
    section = [""]
    for before, token in itertools.pairwise(_MARKDOWN.parse(text)):
        if token.type == "heading_open" and token.tag == "h2":
            yield tuple(section)
            section = []
        elif token.type == "inline" and before.type == "heading_open" and before.tag == "h2":
            section.append(token.content)
        elif token.type not in ("inline", "paragraph_open", "paragraph_close"):
            section.append(f"{token.type} {token.tag} {token.info}")
    yield tuple(section)


def _inside(token: Token) -> Iterator[str]:
    if token.type == "html_block":
        yield f"HTML: {token.content[:60]!r}"
    for child in token.children or ():
        if child.type in ("html_inline", "image"):
            yield f"{child.type}: {child.content[:60]!r}"
        if child.type == "link_open" and child.attrs.get("href") != "api.md":
            yield f"a link of its own: {child.attrs.get('href')!r}"


def _tables(listing: str) -> Iterator[str]:
    """Check that each line of a table is a row, each cell of which is one piece of code."""
    tokens = _MARKDOWN.parse(listing)
    lines = sum(line.startswith("| `") for line in listing.splitlines())
    rows = sum(token.type == "tr_open" for token in tokens)
    heads = sum(token.type == "thead_open" for token in tokens)
    if rows - heads != lines:
        yield f"api.md: {lines} lines of tables are {rows - heads} rows"
    for before, token in itertools.pairwise(tokens):
        if before.type == "td_open":
            kinds = [child.type for child in token.children or ()]
            if kinds != ["code_inline"]:
                yield f"api.md: a cell is not one piece of code: {token.content[:80]!r}"


# Values ------------------------------------------------------------------------------------------


def _values(trees: list[ast.Module], written: Written) -> Iterator[str]:
    """Check that texts with a meaning on the wire are in the client, and no others."""
    constants: set[str] = set()
    identifiers: set[str] = set()
    paths: set[str] = set()
    said: list[str] = []
    every = set(map(read, _texts(written.document)))
    for tree in trees:
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str() as text):
                    constants.add(text)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    identifiers.add(name)
                case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
                    listed = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                    said += _strange("a Literal", listed, every)
                case ast.keyword(arg="alias" | "pattern" as name, value=value):
                    said += _strange(f"a field's {name}", [value], every)
                case ast.keyword(arg="query" | "headers", value=ast.Dict(keys=keys)):
                    said += _strange("a parameter", [key for key in keys if key], every)
                case ast.Call(func=ast.Name(id="Request"), args=[_, path, *_]):
                    paths.add(_template(path))
                case _:
                    pass
    yield from dict.fromkeys(said)
    for kind in ("properties", "constants", "parameters"):
        wanted: set[str] = getattr(written, kind)
        for missing in sorted(set(map(read, wanted)) - constants - identifiers):
            yield f"{missing!r} of the {kind} is not in the client"
    stated = written.document["paths"]
    assert isinstance(stated, dict)
    expected = {"".join(_fixed(read(path))) for path in cast(dict[str, object], stated)}
    if paths != expected:
        yield f"paths are {sorted(paths)} and not {sorted(expected)}"
    yield from _documented(constants, written)


def _documented(constants: set[str], written: Written) -> Iterator[str]:
    """Check that docstrings hold the prose and the defaults of the description."""
    documented = "\0".join("".join(text.split()) for text in constants)
    for doc in sorted(map(read, written.docs)):
        if "".join(doc.split()) not in documented:
            yield f"{doc!r} is in no docstring"
    stated = {ast.literal_eval(found) for found in _DEFAULT.findall(documented)}
    for default in sorted(map(read, written.defaults)):
        if "".join(default.split()) not in {"".join(one.split()) for one in stated}:
            yield f"the default {default!r} is in no docstring"


def _strange(where: str, nodes: Iterable[ast.expr], every: set[str]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value not in every:
                yield f"{node.value!r} in {where} is not in the description"


def _template(path: ast.expr) -> str:
    """Return a path as the client writes it, its variables as a mark."""
    match path:
        case ast.Constant(value=str() as text):
            return "".join(_fixed(text))
        case _:
            return ast.unparse(path)


def _fixed(path: str) -> Iterator[str]:
    """Yield the fixed parts of a path of the description, and a mark for each variable."""
    first, *others = path.split("{")
    yield first
    for other in others:
        yield "\0variable\0"
        yield other.partition("}")[2]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in cast(dict[str, object], value).items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in cast(list[object], value):
            yield from _texts(inner)
