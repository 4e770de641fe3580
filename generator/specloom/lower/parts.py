"""Objects put together: the members that the conjuncts of an object declare between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from .. import ir
from ..diagnostics import Origin
from .conjuncts import Flat
from .limits import add, constraints, is_sound, presence
from .lowering import Placed
from .nodes import Node, is_node, items, node
from .patterns import matches
from .vocabulary import CONDITIONS, KEYED

_CONDITIONAL: Final = CONDITIONS | {"dependencies"}

_BRANCHES: Final = ("then", "else")


def _placed() -> dict[str, list[Placed]]:
    return {}


@dataclass(slots=True)
class Parts:
    """The members of an object, each with every declaration of it, in order.

    ``possible`` are those that are declared for some cases only (``then``, ``dependentSchemas``).
    ``additional`` and ``patterns`` are the schemas of properties without a declaration;
    ``unevaluated`` are those where nothing else speaks of them, and ``closed`` says that there are
    none but those that fit a pattern.
    """

    properties: dict[str, list[Placed]] = field(default_factory=_placed)
    possible: dict[str, list[Placed]] = field(default_factory=_placed)
    required: dict[str, Origin] = field(default_factory=dict[str, Origin])
    patterns: dict[str, list[Placed]] = field(default_factory=_placed)
    additional: list[Placed] = field(default_factory=list[Placed])
    unevaluated: list[Placed] = field(default_factory=list[Placed])
    names: list[Placed] = field(default_factory=list[Placed])
    closed: bool = False
    limits: dict[str, object] = field(default_factory=dict[str, object])

    def constraints(self) -> ir.Constraints:
        """Return the limits on the number and the presence of properties."""
        return constraints(self.limits)

    @property
    def allowed(self) -> list[str]:
        """The patterns that names may match."""
        return [
            p
            for p, placed in self.patterns.items()
            if all(one.schema is not False for one in placed)
        ]


def parts(flats: Sequence[Flat]) -> Parts:
    """Return what conjuncts declare of an object."""
    found = Parts()
    for flat in flats:
        for name, one in _properties(flat.schema, flat.origin):
            found.properties.setdefault(name, []).append(one)
        _add_required(found, flat.schema, flat.origin)
        _add_others(found, flat.schema, flat.origin)
        _add_limits(found, flat.schema)
        if flat.schema.keys().isdisjoint(_CONDITIONAL):
            continue
        for schema, origin, always in _cases(flat.schema, flat.origin):
            for name, one in _properties(schema, origin):
                # What is declared for some cases may be anything in the others.
                otherwise = [] if name in always else [Placed(True, one.origin)]
                found.possible.setdefault(name, []).extend([one, *otherwise])
        for name, one in _properties(node(flat.schema.get("if")), flat.origin / "if"):
            # A condition does not say what the property is when it does not hold.
            found.possible.setdefault(name, [Placed(True, one.origin)])
    found.additional = found.additional or found.unevaluated
    for keyword, value in presence(flats).items():
        add(found.limits, keyword, value)
    for name in found.properties:
        found.possible.pop(name, None)
    _apply_patterns(found)
    return found


def _apply_patterns(found: Parts) -> None:
    """Let patterns speak of the declared names that they match."""
    for pattern, placed in found.patterns.items():
        for name, declarations in found.properties.items():
            if matches(pattern, name):
                declarations[:0] = placed


def _properties(schema: Node, origin: Origin) -> Iterator[tuple[str, Placed]]:
    declared = node(schema.get("properties"))
    at = origin / "properties" if declared else origin
    for name, value in declared.items():
        yield name, Placed(value, at / name)


def _add_required(found: Parts, schema: Node, origin: Origin) -> None:
    listed = items(schema.get("required"))
    at = origin / "required" if listed else origin
    for index, name in enumerate(listed):
        if isinstance(name, str):
            found.required.setdefault(name, at / index)


def _add_others(found: Parts, schema: Node, origin: Origin) -> None:
    """Add what is said of properties that are not declared by name."""
    for pattern, value in node(schema.get("patternProperties")).items():
        placed = Placed(value, origin / "patternProperties" / pattern)
        found.patterns.setdefault(pattern, []).append(placed)
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema:
            others = found.additional if keyword == "additionalProperties" else found.unevaluated
            if schema[keyword] is False:
                found.closed = True
            else:
                others.append(Placed(schema[keyword], origin / keyword))
            break
    if "propertyNames" in schema:
        found.names.append(Placed(schema["propertyNames"], origin / "propertyNames"))


def _add_limits(found: Parts, schema: Node) -> None:
    for keyword in schema:
        if keyword in KEYED and is_sound(keyword, schema[keyword]):
            add(found.limits, keyword, schema[keyword])
    dependent = {**node(schema.get("dependencies")), **node(schema.get("dependentRequired"))}
    listed = {name: list(items(names)) for name, names in dependent.items() if items(names)}
    if listed:
        add(found.limits, "dependentRequired", listed)


def _cases(schema: Node, origin: Origin) -> Iterator[tuple[Node, Origin, Collection[str]]]:
    """Yield the objects that describe a schema's values in some cases only.

    With each are the names that are declared in one way or another whatever the case.
    """
    if "if" in schema:
        cases = [node(schema.get(keyword)) for keyword in _BRANCHES]
        then, otherwise = (node(case.get("properties")).keys() for case in cases)
        always = then if schema["if"] in ({}, True) else then & otherwise
        for keyword, case in zip(_BRANCHES, cases, strict=True):
            yield case, origin / keyword, always
    needed = items(schema.get("required"))
    for keyword in ("dependentSchemas", "dependencies"):
        for name, value in node(schema.get(keyword)).items():
            if is_node(value):
                case = node(value)
                declared = node(case.get("properties")).keys()
                yield case, origin / keyword / name, declared if name in needed else ()
