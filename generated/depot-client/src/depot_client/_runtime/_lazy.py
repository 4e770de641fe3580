"""Packages whose names are imported when they are first used (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping

__all__ = ["lazy"]


def lazy(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and ``__dir__`` of a package.

    ``names`` maps a name to the submodule that defines it; a name that is the submodule
    itself maps to the empty string. What has been looked up once is an ordinary
    attribute of the package from then on. ``from package import *`` imports them all.
    """

    def load(name: str) -> object:
        if name == "__all__":
            return sorted(names)
        submodule = names.get(name)
        if submodule is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{submodule or name}")
        value = getattr(module, name) if submodule else module
        setattr(sys.modules[package], name, value)
        return value

    def listing() -> list[str]:
        return sorted({*vars(sys.modules[package]), *names})

    return load, listing
