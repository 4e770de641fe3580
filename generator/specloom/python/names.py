"""Python names: made from the description's words, claimed once, never changed afterwards."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import BaseModel

LONGEST = 80
"""Names are cut to this many characters; see ``_short``."""

MODEL_ATTRIBUTES = frozenset(
    {name for name in dir(BaseModel) if not name.startswith("_")}
    | {"to_dict", "to_json", "str", "int", "float", "bool", "list", "dict", "tuple"}
)
"""What a model's attribute must not be called: pydantic's own names, and those of annotations."""

ARGUMENTS = frozenset(
    {"self", "models", "params", "request"}
    | {"extra_headers", "extra_query", "extra_body", "timeout", "options"}
)
"""What an operation's argument must not be called: what every generated method uses itself."""

CLIENT_ATTRIBUTES = frozenset(
    "aclose api_key base_url cached_property close copy is_closed max_retries send stream timeout "
    "with_options resources with_raw_response with_streaming_response default_headers "
    "default_query".split()
)
"""What a resource must not be called: the attributes of every client."""

CLIENT_KEYWORDS = (
    "base_url timeout max_retries default_headers default_query http_client strict_responses "
    "on_deviation validate_requests hooks".split()
)
"""The keywords that every client has, in their order; no other may be called so."""

WEBHOOK_SECRET = "webhook_secret"
"""The keyword of a client whose API has webhooks."""

RESOURCE_ATTRIBUTES = frozenset(
    "bool bytes cached_property dict dt float int object omit overload resources str tuple "
    "with_raw_response with_streaming_response".split()
)
"""What a method must not be called: what else its class says, or uses in its signatures."""

RESOURCE_CLASSES = frozenset(
    "ANYTHING Alternatives Annotated Any AsyncClient AsyncResource AsyncStream BYTES Body ByEvent "
    "ByStatus ByType Decimal Declared Decoder Encoded Events False Field FileContent FileInput "
    "FilePart FileParts Fold Headers Impossible Iterable List Literal Mapping Maybe NOTHING "
    "Needed Never None Omit OneOf Open OpenTuple Query Request RequestOptions Stream Styled "
    "SyncClient SyncResource TEXT Tag Timeout True Unique UUID".split()
)
"""What a resource class must not be called: the names that modules of resources import."""

TYPE_NAMES = frozenset(
    "Annotated Any BaseModel False Field FileInput Impossible Iterable Literal Mapping Maybe Never "
    "None OneOf Open OpenTuple Required StandardDecimal StandardUUID Tag True TypeAlias "
    "TypeAliasType TypedDict Unique".split()
)
"""What a class must not be called: the names that modules of types import."""


_SIGNED = re.compile(r"(?P<before>[+-])(?=\d+$)|(?P<word>[^<>]+)(?P<after>[<>]=?)$")
_SIGNS = {"+": "plus", "-": "minus", "<": "lt", ">": "gt", "<=": "lte", ">=": "gte"}
"""What signs are called that tell one name from another: ``+1`` and ``-1``, ``date<``."""


def words(text: str) -> list[str]:
    """Return the words of a name in any convention: ``fooBar``, ``foo-bar``, ``FOOBar``."""
    text = _normal(text)
    if signed := _SIGNED.match(text):
        sign = _SIGNS[signed["before"] or signed["after"]]
        text = f"{signed['word']}-{sign}" if signed["word"] else f"{sign}-{text[1:]}"
    found: list[str] = []
    word = ""
    for index, char in enumerate(text):
        if not (char.isalnum() and (char.isidentifier() or char.isdecimal())):
            found, word = _ended(found, word), ""
            continue
        following = text[index + 1 : index + 2]
        if following == "s" and not text[index + 2 : index + 3].islower():
            following = ""  # the plural of an acronym, as in "APIs"
        starts = char.isupper() and (
            word[-1:].islower() or (word[-1:].isupper() and following.islower())
        )
        if starts or (char.isupper() and word[-1:].isdigit() and following.islower()):
            found, word = _ended(found, word), ""
        word += char
    return _ended(found, word)


def _ended(found: list[str], word: str) -> list[str]:
    return [*found, word] if word else found


def snake(text: str) -> str:
    """Return a valid ``snake_case`` identifier."""
    return _valid("_".join(word.lower() for word in words(text)), "value")


def pascal(text: str) -> str:
    """Return a valid ``PascalCase`` identifier."""
    return _valid("".join(word[:1].upper() + word[1:] for word in words(text)), "Value")


def package_name(text: str) -> str:
    """Return a valid name of an import package in ASCII."""
    ascii_ = "".join(c if c.isascii() else " " for c in text)
    return snake(ascii_) if words(ascii_) else "client"


def singular(word: str) -> str:
    """Return an English noun in the singular, as far as spelling alone tells."""
    lower = word.lower()
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is", "data")):
        return word[:-1]
    return word


def _valid(name: str, empty: str) -> str:
    name = _short(_normal(name)) or empty
    if not name[0].isidentifier():
        name = f"{empty[0]}{name}" if empty[0].isupper() else f"{empty[0]}_{name}"
    if keyword.iskeyword(name):
        name += "_"
    return name if name.isidentifier() else empty


def _normal(text: str) -> str:
    """Return text as Python reads identifiers: ligatures and the like as the letters they are."""
    return unicodedata.normalize("NFKC", text)


def _short(name: str) -> str:
    """Cut what nobody would type; the scope tells apart what becomes equal."""
    return name[:LONGEST].rstrip("_")


def shortened(name: str) -> str:
    """Return the end of a ``PascalCase`` name that is too long: its words with the most meaning.

    It was made of the names of owners, the outermost first.
    """
    if len(name) <= LONGEST:
        return name
    starts = (i for i in range(len(name) - LONGEST, len(name)) if _begins_word(name, i))
    return name[next(starts, 0) :][:LONGEST]


def _begins_word(name: str, index: int) -> bool:
    return name[index].isupper() and not name[index - 1].isupper()


def is_plain(name: str) -> bool:
    """Whether a wire name can be written as an identifier."""
    return name.isidentifier() and not keyword.iskeyword(name) and _normal(name) == name


def is_normal(name: str) -> bool:
    """Whether Python would read an identifier of this text as it is written."""
    return _normal(name) == name


def hides(names: Iterable[str], annotations: Iterable[str]) -> bool:
    """Whether a name would hide a builtin type that one of the annotations uses."""
    bare = (_STRING.sub("", annotation) for annotation in annotations)
    used = {word for annotation in bare for word in _WORD.findall(annotation)}
    return any(name in used for name in names)


_STRING = re.compile(r"""("(\\.|[^"\\])*"|'(\\.|[^'\\])*')""")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Scope:
    """The names of one namespace. First come keeps the plain name.

    ``reserved`` names are given a trailing underscore; a name that differs from a taken one in
    case alone counts as taken where ``folded``, because modules are also names of files.
    """

    reserved: frozenset[str] = frozenset()
    separator: str = "_"
    folded: bool = False
    _taken: set[str] = field(default_factory=set[str])

    def claim(self, wanted: str) -> str:
        """Return ``wanted``, or the first free of ``wanted_``, ``wanted_2``, ``wanted_3``..."""
        base = f"{wanted}_" if wanted in self.reserved else wanted
        name, count = base, 2
        while self._key(name) in self._taken:
            name, count = f"{base.rstrip('_')}{self.separator}{count}", count + 1
        self._taken.add(self._key(name))
        return name

    def is_free(self, name: str) -> bool:
        """Return whether ``name`` is an identifier that can be claimed as it is."""
        taken = name in self.reserved or self._key(name) in self._taken
        return is_plain(name) and not taken

    def _key(self, name: str) -> str:
        return name.casefold() if self.folded else name
