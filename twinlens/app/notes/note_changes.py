"""The changes of a person's own notes that a command is asked for."""

from __future__ import annotations

from typing import Any, Literal

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request

_PICKS = {"picked": 1, "rejected": -1, "neither": 0}


class NoteChanges(Request):
    """Changes of notes on photographs; fields that are not named stay as they are."""

    key = "note"

    rating: int | None = parameter(None, ge=0, le=5, metavar="STARS", help="Stars from 1 to 5; 0 for none.")
    favourite: bool | None = parameter(None, help="Whether they are favourites.")
    pick: Literal["picked", "rejected", "neither"] | None = parameter(None, help="Whether you picked or rejected them.")
    label: str | None = parameter(None, metavar="TEXT", help="A label, such as Red.")
    keyword: tuple[str, ...] = parameter((), metavar="TEXT", help="A keyword to add; may be given several times.")
    remove_keyword: tuple[str, ...] = parameter((), metavar="TEXT", help="A keyword to take away.")
    name: str | None = parameter(None, option="--title", metavar="TEXT", help="A title.")
    caption: str | None = parameter(None, metavar="TEXT", help="A caption.")

    def fields(self) -> dict[str, Any]:
        """Return the fields that change to one value, for :func:`twinlens.app.notes.own_notes.set_notes`."""
        values = {name: getattr(self, name) for name in ("rating", "favourite", "label", "caption")} | {
            "title": self.name
        }
        found = {name: value for name, value in values.items() if value is not None}
        return found if self.pick is None else {**found, "pick": _PICKS[self.pick]}
