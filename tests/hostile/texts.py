"""Text that tries to be more than text wherever it is written down."""

from __future__ import annotations

from random import Random

MARK = "INJECTED"
"""A name that stands in a client's code only if text of its description has become code."""

PIECES = (
    # Python: ends of strings, docstrings and comments, escapes, formats
    *(
        '"',
        "'",
        '"""',
        "'''",
        '""""',
        "\\",
        "\\\\",
        '\\"',
        "\\'",
        '\\"""',
        "\\N{DASH}",
        "\\x",
        "\\u12",
    ),
    *(
        f'"""\n{MARK} = 1\n"""',
        f"'\n{MARK} = 1\n'",
        f'"\n{MARK} = 1\n"',
        f"\n{MARK} = 1\n",
        f"\r{MARK} = 1\r",
    ),
    *(f'"); {MARK} = 1; ("', f"']\n{MARK} = 1\n['", f"`\n{MARK} = 1\n`", f"# {MARK}\n{MARK} = 1"),
    *(
        f"{{{MARK}}}",
        f"{{{MARK}!r}}",
        f"f'{{{MARK}}}'",
        f"%({MARK})s",
        "%s",
        "%n",
        "{0}",
        "{",
        "}",
        "{{}}",
        "{}",
    ),
    *(
        "\\\n",
        "\\",
        "#",
        "# noqa",
        "# type: ignore",
        "\f",
        "\v",
        "\t",
        "$x",
        "$(x)",
        "`x`",
        "r'",
        'b"',
    ),
    # Jinja
    *(f"{{{{ {MARK} }}}}", "{% raw %}", "{% endraw %}", "{% block x %}", "{#", "#}", "{{ '", "-%}"),
    # TOML and Markdown
    *(
        f'"\n{MARK} = 1\n[tool]\nx = "',
        "]]",
        "[[x]]",
        "'''\n",
        "```",
        "```python\n",
        "~~~",
        "|",
        "| - |",
        "\n---\n",
    ),
    *(
        "\n# Heading\n",
        "\n    code\n",
        "<!--",
        "-->",
        "<script>",
        "<br>",
        "&lt;",
        "[x](y)",
        "![",
        "](",
        "* ",
        "> ",
    ),
    # what is not visible, or turns the line around
    *(
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "\u2028",
        "\u2029",
        "\x85",
        "\0",
        "\x07",
        "\x1b[31m",
        "\x7f",
        "\x1c",
        "\x1e",
    ),
    *(
        "\u202e",
        "\u2066",
        "\u2069",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u00ad",
        "\ue000",
        "\U000e0001",
        "\ufffe",
    ),
    # words that mean something, and plain ones
    *(
        "None",
        "True",
        "class",
        "self",
        "import",
        "__class__",
        "__init__",
        "model_config",
        "lambda",
        "async",
    ),
    *(
        "a",
        "B",
        "x1",
        "9",
        "two words",
        "é",
        "ß",
        "İ",
        "糸",
        "🧵",
        "\u0301",
        "ﬁ",
        "Ⅷ",
        "²",
        "_",
        "__",
        "-",
        ".",
        "/",
    ),
    *(
        "  ",
        " ",
        "\u00a0",
        "\u3000",
        "~",
        "~1",
        "%2F",
        "%",
        "+",
        "&",
        "=",
        "?",
        ":",
        ";",
        "@",
        "!",
        "*",
        "^",
        "$",
    ),
)

HALF = "\ud800"
"""Half a character: JSON can spell it, UTF-8 cannot hold it, and it is read as U+FFFD."""


def hostile(random: Random, most: int = 4) -> str:
    """Return text of some pieces, now and then a very long one."""
    pieces = [random.choice(PIECES) for _ in range(random.randint(1, most))]
    if random.random() < 0.03:
        pieces.append(random.choice(["x" * 300, "long word " * 40, "\\" * 99, HALF]))
    random.shuffle(pieces)
    return "".join(pieces)


def read(text: str) -> str:
    """Return text of a description as it is read."""
    return text.replace(HALF, "\ufffd")
