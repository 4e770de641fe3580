"""References that lead from one to the next without an end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..description.load import Description
from ..diagnostics import Origin, Report
from .keywords import reference
from .nodes import node

_LONGEST_CHAIN: Final = 100
"""How many references in a row are followed: more than anybody writes."""


@dataclass(slots=True)
class Circles:
    """Finds references that lead in a circle, or too far; each is reported once."""

    description: Description
    report: Report
    _endless: set[Origin] = field(default_factory=set[Origin])

    def leads_on(self, target: Origin, origin: Origin) -> bool:
        """Return whether the reference at ``origin`` to ``target`` leads to nothing but others."""
        passed: dict[Origin, None] = {}
        while target not in passed and target not in self._endless:
            passed[target] = None
            stated = node(self.description.lookup(target))
            ref = stated.get(reference(stated) or "$ref")
            found = self.description.resolve(ref, target) if isinstance(ref, str) else None
            if found is None:
                return self._is_far(list(passed), origin)
            target = found
        if target in passed:
            message = "this reference leads to references only, in a circle"
            self.report.error("circular-reference", message, origin)
        self._endless.update(passed)
        return True

    def _is_far(self, passed: list[Origin], origin: Origin) -> bool:
        """Return whether an end was found only after too many references."""
        too_far = passed[:-_LONGEST_CHAIN]
        if too_far:
            message = f"more than {_LONGEST_CHAIN} references lead on from here"
            self.report.error("circular-reference", message, origin)
        self._endless.update(too_far)
        return bool(too_far)
