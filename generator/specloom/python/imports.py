"""Import statements of a generated module, grouped and sorted as linters want them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_STANDARD = frozenset(
    {"builtins", "collections.abc", "datetime", "decimal", "functools", "re", "typing", "uuid"}
)


@dataclass(slots=True)
class Imports:
    """What a module imports: names by module, and whole modules."""

    names: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def add(self, module: str, *names: str) -> None:
        """Import names from a module or, without names, the module itself."""
        self.names.setdefault(module, set()).update(names)

    def lines(self) -> tuple[str, ...]:
        """Return the statements, an empty line between standard, foreign and own modules."""
        groups = [sorted(self._group(kind)) for kind in range(3)]
        printed: list[str] = []
        for group in groups:
            if group and printed:
                printed.append("")
            printed += [line for _, line in group]
        return tuple(printed)

    def _group(self, kind: int) -> Iterator[tuple[tuple[bool, int, str], str]]:
        """Yield the statements of a group, each after what it is sorted by."""
        for module, names in self.names.items():
            if _kind(module) == kind:
                listed = ", ".join(sorted(names, key=_as_linters_sort))
                dots = len(module) - len(module.lstrip("."))
                statement = f"from {module} import {listed}" if names else f"import {module}"
                yield (bool(names), -dots, module), statement


def _kind(module: str) -> int:
    if module.startswith("."):
        return 2
    return 0 if module.partition(" ")[0] in _STANDARD else 1


def _as_linters_sort(name: str) -> tuple[int, str]:
    """Constants come first, then classes, then the rest."""
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1 if name[:1].isupper() else 2), name
