"""State that a library keeps for a person: past searches, saved searches, and the state of the window.

It lies in the library's settings, so a backup contains it. On a server, past searches and the window belong to the
login; saved searches are everybody's. In a library that can only be read, nothing is remembered and nothing fails.
Values are plain JSON, which this module does not interpret.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinlens.app.library.library import Library
from twinlens.core.errors import TwinlensError

HISTORY = 200
"""Past searches that are remembered, at most."""

THRESHOLDS = "thresholds"
"""The setting of distances that were computed from marks, each with the key of what it depends on."""

KEPT = 50
"""Distances that are kept, at most."""

_HISTORY, _SAVED, _WINDOW = "history", "saved searches", "window"
Value = dict[str, Any]


def history(library: Library) -> list[Value]:
    """Return the past searches, the newest first, each once."""
    found: list[Value] = _get(library, _own(library, _HISTORY), [])
    return found


def _get(library: Library, name: str, default: Any) -> Any:
    with library.store.reading() as r:
        found = r.settings.get(name, default)
    return found if isinstance(found, type(default)) else default


def _own(library: Library, name: str) -> str:
    """Return the name of a setting that each login of a server has for itself."""
    login = library.store.place.login
    return f"{name} of {login}" if login else name


def remember(library: Library, search: Value) -> None:
    """Remember a search as the newest."""

    def with_it(old: list[Value]) -> list[Value]:
        return [search, *(one for one in old if one != search)][:HISTORY]

    _change(library, _own(library, _HISTORY), [], with_it)


def _change(library: Library, name: str, default: Any, change: Callable[[Any], Any]) -> None:
    if not library.store.writable:
        return
    if change(old := _get(library, name, default)) == old:
        return  # writing would notify other programs of a change
    with library.store.writing("remembering") as w:
        found = w.settings.get(name, default)
        w.settings.put(name, change(found if isinstance(found, type(default)) else default))


def saved_searches(library: Library) -> dict[str, Value]:
    """Return the searches that were given a name, by name, in the order of the names."""
    found: dict[str, Value] = _get(library, _SAVED, {})
    return {name: found[name] for name in sorted(found, key=str.casefold)}


def save_search(library: Library, name: str, value: Value) -> None:
    """Keep a search under a name; one of the same name is replaced.

    Raises
    ------
    TwinlensError
        If the name is empty.
    """
    name = name.strip()
    if not name:
        raise TwinlensError("A saved search needs a name.", "Write one.")
    _change(library, _SAVED, {}, lambda old: old | {name: value})


def forget_search(library: Library, name: str) -> None:
    """Forget a saved search; there need be none of that name."""
    _change(library, _SAVED, {}, lambda old: {one: value for one, value in old.items() if one != name})


def window_state(library: Library) -> Value:
    """Return how the window was left; empty where it never was."""
    found: Value = _get(library, _own(library, _WINDOW), {})
    return found


def keep_window_state(library: Library, state: Value) -> None:
    """Remember how the window is left."""
    _change(library, _own(library, _WINDOW), {}, lambda _: state)


def keep_thresholds(library: Library, new: dict[str, list[float]]) -> None:
    """Keep distances that were computed from marks, by what they depend on; the oldest go."""

    def with_them(old: list[list[Any]]) -> list[list[Any]]:
        return [*(one for one in old if one[0] not in new), *([key, value] for key, value in new.items())][-KEPT:]

    _change(library, THRESHOLDS, [], with_them)
