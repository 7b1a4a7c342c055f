"""The log of every file that was ever moved away: the plan before, and the outcome.

A row is written before its file is touched, and says ``planned`` until the file has moved, or is left; so it does again
while the file is brought back. After a kill, planned files are looked for on the disk.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from twinlens.core.message import NOTHING, Message, from_json
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity import checksums
from twinlens.storage.integrity.checksums import DamagedRowError, sound

_log = logging.getLogger(__name__)
MARK = "mark"
"""Under this name a row has what the hidden names of its files are made from."""

VOLUMES = "volumes"
"""Under this name a row has the identities of the volumes that folders are on to which its files go."""

NOTES = "notes"
"""Under this name a row has a sidecar file that takes up what only the photograph says: its path, before, after."""

LINK = "link"
"""Under this name a row has what shows whether a photograph has become a link to the one that stays."""

_RETURNING = "returning"


class DisposalOutcome(StrEnum):
    """Outcome of moving a file away."""

    PLANNED = "planned"
    """Not known yet."""
    DONE = "done"
    """The file was moved."""
    LEFT = "left"
    """The file is where it was, for a stated reason."""
    UNDONE = "undone"
    """The file was moved, and is back."""


class MovedCompanion(NamedTuple):
    """A file that goes with a photograph.

    Attributes
    ----------
    path : bytes
        On the same volume.
    lies_at : bytes or None
        Full path of where it is to go, and then lies; None where that is not known.
    digest : bytes
        Its content hash; empty in logs of before it was written down.
    """

    path: bytes
    size: int
    mtime_ns: int
    lies_at: bytes | None = None
    digest: bytes = b""


@dataclass(frozen=True)
class NewDisposal:
    """A photograph that is to be moved away.

    Attributes
    ----------
    path : bytes
        On its volume.
    content_hash : bytes
    kept : bytes
        Content of what is kept in its place.
    kept_name : str
        Where that lies, for people.
    destination : bytes or None
        The folder that it goes to; None for the trash.
    lies_at : bytes or None
        Full path of where it is to go, and then lies; None where that is not known.
    known : dict
        What the library knew of it, as JSON can hold it.
    """

    volume_id: int
    path: bytes
    size: int
    mtime_ns: int
    content_hash: bytes
    kept: bytes
    kept_name: str
    destination: bytes | None
    lies_at: bytes | None
    beside: tuple[MovedCompanion, ...]
    known: dict[str, Any]


@dataclass(frozen=True)
class DisposalRow(NewDisposal):
    """A photograph that was to be moved away, as :class:`NewDisposal`, with the outcome.

    Attributes
    ----------
    run : int
        Equal for those that were moved away together.
    reason : Message
        Why it was left.
    created, changed : str
        UTC.
    """

    id: int
    run: int
    state: DisposalOutcome
    reason: Message
    created: str
    changed: str

    @property
    def mark(self) -> str:
        """By which the names are made under which its files are set aside; nobody else knows it."""
        return str(self.known.get(MARK, self.id))

    @property
    def volumes(self) -> dict[bytes, str]:
        """The identities of the volumes that folders, by their full paths, are on to which its files go."""
        return {(_path(name) or b""): identity for name, identity in self.known.get(VOLUMES, {}).items()}

    @property
    def is_returning(self) -> bool:
        """Whether it was moved away, and was being brought back when it was last heard of."""
        return self.state is DisposalOutcome.PLANNED and bool(self.known.get(_RETURNING))


class Disposals:
    """The log of a library."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def plan(self, files: Sequence[NewDisposal]) -> list[DisposalRow]:
        """Record the photographs to be moved away together, and return the rows in the same order."""
        run = int(self._dialect.value("SELECT coalesce(max(run), 0) + 1 FROM disposal"))
        moment = now()
        rows = [
            {**_values(file), "run": run, "state": DisposalOutcome.PLANNED.value, "reason": "", "created": moment}
            | {"changed": moment}
            for file in files
        ]
        if rows:
            first = self._dialect.give("disposal", len(rows))
            self._dialect.insert("disposal", [{"id": i} | row for i, row in enumerate(rows, first)])
        return self.by_run(run)

    def replan(self, row_id: int, lies_at: bytes, beside: Sequence[MovedCompanion]) -> None:
        """Record that a file is to go to another place than planned."""
        self._change(row_id, lies_at=lies_at, beside=_written(beside))

    def done(self, row_id: int, lies_at: bytes | None, beside: Sequence[MovedCompanion], known: dict[str, Any]) -> None:
        """Record that a file was moved, with where it lies, what went with it, and what the library knew of it."""
        self._change(
            row_id, state=DisposalOutcome.DONE.value, lies_at=lies_at, beside=_written(beside), known=json.dumps(known)
        )

    def left(self, row_id: int, reason: Message) -> None:
        """Record that a file stays where it was."""
        self._change(row_id, state=DisposalOutcome.LEFT.value, reason=reason.to_json())

    def returns(self, row: DisposalRow) -> None:
        """Record that a file that was moved is about to be brought back."""
        self._change(row.id, state=DisposalOutcome.PLANNED.value, known=json.dumps({**row.known, _RETURNING: True}))

    def stays(self, row: DisposalRow) -> None:
        """Record that a file that was about to be brought back is still away."""
        known = {name: value for name, value in row.known.items() if name != _RETURNING}
        self.done(row.id, row.lies_at, row.beside, known)

    def undone(self, row_id: int) -> None:
        """Record that a file is back at its place."""
        self._change(row_id, state=DisposalOutcome.UNDONE.value)

    def passed_on(self, row_id: int, known: dict[str, Any]) -> None:
        """Replace the record of what the library knew of a file."""
        self._change(row_id, known=json.dumps(known))

    def _change(self, row_id: int, **values: Any) -> None:
        self._dialect.change("disposal", row_id, {"changed": now(), **values})

    def by_id(self, ids: Sequence[int]) -> list[DisposalRow]:
        """Return rows by id, oldest first; unknown ids are left out."""
        return self._among("id {among}", ids)

    def by_run(self, run: int) -> list[DisposalRow]:
        """Return the rows that were moved away together, in the order of the plan."""
        return self._rows("WHERE run = ? ORDER BY id", run)

    def all(self, before: int | None = None, limit: int = 1000) -> list[DisposalRow]:
        """Return the log, newest first.

        Parameters
        ----------
        before : int, optional
            The last id that was had: the page after it.
        limit : int
            How many at most.
        """
        if before is None:
            return self._rows("ORDER BY id DESC LIMIT ?", limit)
        return self._rows("WHERE id < ? ORDER BY id DESC LIMIT ?", before, limit)

    def unfinished(self) -> list[DisposalRow]:
        """Return the rows whose outcome is not known yet."""
        return self._rows("WHERE state = ? ORDER BY id", DisposalOutcome.PLANNED.value)

    def kept_instead(self, content: bytes) -> list[DisposalRow]:
        """Return the rows of files that were moved and in whose place a content is kept."""
        return self._rows("WHERE state = ? AND kept = ? ORDER BY id", DisposalOutcome.DONE.value, content)

    def of_contents(self, contents: Iterable[bytes]) -> list[DisposalRow]:
        """Return the rows of files that were moved, by their contents, oldest first."""
        return self._among("state = ? AND content_hash {among}", contents, (DisposalOutcome.DONE.value,))

    def came_back(self, photographs: Sequence[int]) -> list[DisposalRow]:
        """Return the rows of photographs that are back, by the ids that they had, oldest first."""
        wanted = set(photographs)
        undone = self._rows("WHERE state = ? ORDER BY id", DisposalOutcome.UNDONE.value)
        return [row for row in undone if row.known.get("photograph") in wanted]

    def count(self) -> int:
        """Count the rows."""
        return int(self._dialect.value("SELECT count(*) FROM disposal"))

    def _among(self, which: str, values: Iterable[Any], given: tuple[Any, ...] = ()) -> list[DisposalRow]:
        rows = self._dialect.records_among(f"SELECT * FROM disposal WHERE {which}", values, given)
        return sorted(_sound(rows), key=lambda row: row.id)

    def _rows(self, which: str, *values: Any) -> list[DisposalRow]:
        return list(_sound(self._dialect.records(f"SELECT * FROM disposal {which}", values)))


def _sound(rows: Iterable[dict[str, Any]]) -> Iterator[DisposalRow]:
    """Yield rows; damaged ones are left out, and the check of the library reports them."""
    for row in rows:
        try:
            yield _read(row)
        except DamagedRowError as error:
            _log.warning("%s is damaged and is left out", error.what)


def _values(file: NewDisposal) -> dict[str, Any]:
    values = {name: getattr(file, name) for name in NewDisposal.__dataclass_fields__}
    return values | {"beside": _written(file.beside), "known": json.dumps(file.known)}


def _written(beside: Sequence[MovedCompanion]) -> str:
    """Write files as JSON; names that are no text are in it as the system's functions decode them."""
    return json.dumps(
        [[_name(one.path), one.size, one.mtime_ns, _name(one.lies_at), one.digest.hex()] for one in beside]
    )


def _name(path: bytes | None) -> str | None:
    return None if path is None else path.decode("utf-8", "surrogateescape")


def _path(name: str | None) -> bytes | None:
    return None if name is None else name.encode("utf-8", "surrogateescape")


def _read(row: dict[str, Any]) -> DisposalRow:
    values = sound("disposal", row)
    beside = checksums.from_json(values["beside"], "disposal", row)
    return DisposalRow(
        **values
        | {
            "beside": tuple(
                MovedCompanion(_path(path) or b"", size, at, _path(to), bytes.fromhex("".join(digest)))
                for path, size, at, to, *digest in beside
            ),
            "known": checksums.from_json(values["known"], "disposal", row),
            "state": DisposalOutcome(values["state"]),
            "reason": from_json(values["reason"]) if values["reason"] else NOTHING,
        }
    )
