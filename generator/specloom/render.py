"""The stage ``render``: a package as files. Prints, copies the runtime, formats once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import cast

import jinja2

from .formatting import formatted, statement
from .python.literals import literal
from .python.package import Package

Files = Mapping[PurePosixPath, str]
"""The text of every file by its path below the client's folder."""

_HERE = Path(__file__).parent
TEMPLATES = next(d for d in (_HERE / "templates", _HERE.parents[1] / "templates") if d.is_dir())
"""The templates: inside the installed package, or beside ``generator/`` in a checkout."""

RUNTIME = TEMPLATES / "runtime"
_VERBATIM = ("src/package/py.typed",)


def render(package: Package) -> Files:
    """Return every file of a client, formatted as Black would."""
    templates = environment()
    files: dict[PurePosixPath, str] = {}
    for module in package.modules:
        template = templates.get_template(module.template)
        text = template.render(it=module.context, imports=module.imports)
        code = module.path.suffix in (".py", ".pyi")
        files[module.path] = formatted(text) if code else text.strip("\n") + "\n"
    source = PurePosixPath("src", package.import_name)
    for name in _VERBATIM:
        path = source / PurePosixPath(name).name
        files[path] = (TEMPLATES / "package" / name).read_text("utf-8")
    for file in sorted(RUNTIME.rglob("*.py")):
        inner = file.relative_to(RUNTIME).as_posix()
        files[source / "_runtime" / inner] = file.read_text("utf-8")
    return files


def environment() -> jinja2.Environment:
    """Return the environment of the templates, with the only ways for text to reach output."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES / "package"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # the output is Python; the filters below do the escaping
    )
    filters = cast(dict[str, Callable[..., str]], templates.filters)
    filters |= {
        "docstring": docstring,
        "literal": literal,
        "quoted": quoted,
        "line": line,
        "statement": statement,
    }
    return templates


def docstring(text: str, indentation: int) -> str:
    """Return text as a docstring, the lines after the first indented by so many spaces."""
    body = "".join(_escaped(char) for char in text.replace("\r\n", "\n").strip())
    body = body.replace('"""', '\\"\\"\\"')
    # Black separates quotes of the text from those of the docstring.
    body = (" " if body.startswith('"') else "") + body + (" " if body.endswith('"') else "")
    first, *rest = body.split("\n")
    rest = dedent("\n".join(rest)).split("\n") if rest else []  # as Black will
    margin = " " * indentation
    lines = [first, *(f"{margin}{line}".rstrip() for line in rest)]
    closing = f"\n{margin}" if rest else ""
    return '"""' + "\n".join(lines) + closing + '"""'


def _escaped(char: str) -> str:
    """Return a character as it may stand in a docstring: nothing invisible, no escapes."""
    if char == "\\":
        return "\\\\"
    if char == "\n" or char.isprintable():
        return char
    return char.encode("unicode_escape").decode("ascii")


def quoted(text: str) -> str:
    """Return text as a TOML basic string."""
    return '"' + "".join(_toml(char) for char in text) + '"'


def _toml(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def line(text: str) -> str:
    """Return text on one line of Markdown."""
    return " ".join(text.split()).replace("|", "\\|")
