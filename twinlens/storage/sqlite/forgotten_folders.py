"""Forgotten folders, kept in a file of their own until the window closes, so that forgetting can be undone.

The copy is complete before the first row leaves the library, and is there until all of it is back: whatever is killed
in between, every row is in one of the two files.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twinlens.core.files import private_files
from twinlens.storage.database.dialect import Dialect, pieces, runs
from twinlens.storage.database.place import WAIT_S
from twinlens.storage.database.values import PHOTOGRAPH_BITS, REVISIONS
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.photographs.volumes import FolderRow, inside
from twinlens.storage.sqlite.engine import Access, closed_on_failure, connect
from twinlens.storage.sqlite.failures import in_sentences

_BY_PATH = ("folder", "photograph", "problem", "passed_over")
_BY_CONTENT = ("camera_note", "file_metadata")
_BY_PHOTOGRAPH = ("keypoints", "sidecar_note", "keep_choice")
_PAGE = 1000
_VERSION = int(REVISIONS[-1])
Row = dict[str, Any]


@dataclass(frozen=True)
class SetAside:
    """One forgotten folder; ``number`` is its own, the larger the later."""

    number: int
    volume_id: int
    under: bytes
    photographs: int


def set_aside(path: Path, w: Transaction, volume_id: int, under: bytes) -> SetAside:
    """Copy all data of a folder, at any depth; they stay in the library.

    Parameters
    ----------
    path : Path
        The file; it is made where there is none.
    w : Transaction
        The folder is removed in it afterwards.
    under : bytes
        Path of the folder on the volume.
    """
    ids = w.photographs.matching(Filter(folders=((volume_id, under),)))
    with in_sentences(path), closing(_made(path)) as kept:
        kept.execute("BEGIN IMMEDIATE")
        values = (volume_id, under, len(ids))
        made = kept.execute("INSERT INTO forgotten (volume_id, under, photographs) VALUES (?, ?, ?)", values)
        one = SetAside(int(made.lastrowid or 0), *values)
        for table, which, given in _of_folder(w, one, runs(ids) if len(ids) else []):
            _copy(w.dialect, kept, one.number, table, which, given)
        kept.execute("COMMIT")
    return one


def _of_folder(
    w: Transaction, one: SetAside, spans: list[tuple[int, int]]
) -> Iterator[tuple[str, str, tuple[int | bytes, ...]]]:
    """Yield what belongs to a folder: tables, conditions, and their values."""
    there, values = inside(one.volume_id, one.under)
    for table in _BY_PATH:
        yield table, there, values
    for table in _BY_CONTENT:
        yield table, f"content IN (SELECT content_hash FROM photograph WHERE {there})", values
    yield "descriptor_kind", "1 = 1", ()
    for first, last in spans:
        for table in _BY_PHOTOGRAPH:
            yield table, "photograph_id BETWEEN ? AND ?", (first, last)
        for kind in w.descriptors.kinds():
            at = kind.id << PHOTOGRAPH_BITS
            yield "descriptor", "id BETWEEN ? AND ?", (at | first, at | last)


def waiting(path: Path) -> list[SetAside]:
    """List the folders that can come back, in the order in which they were forgotten."""
    if not path.exists():
        return []
    with closing(connect(path, Access.WRITE, WAIT_S)) as kept:
        try:
            if kept.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                return []  # of another version of Twinlens, whose tables are others
            rows = kept.execute(
                "SELECT number, volume_id, under, photographs FROM forgotten ORDER BY number"
            ).fetchall()
        except sqlite3.DatabaseError:  # begun and never filled, or damaged: nothing of it can be had back
            return []
    return [SetAside(*row) for row in rows]


def put_back(path: Path, w: Transaction, one: SetAside) -> int:
    """Put a forgotten folder back with its ids; newer knowledge of its files stays.

    Call :func:`drop` once the transaction is committed.

    Returns
    -------
    int
        How many photographs came back.
    """
    with in_sentences(path), closing(connect(path, Access.WRITE, WAIT_S)) as kept:
        places = _put_folders(w, one, _rows(kept, one, "folder"))
        known = {file.path for file in w.photographs.known(one.volume_id, one.under)}
        new = [row for row in _rows(kept, one, "photograph") if row["path"] not in known]
        back = {row["id"] for row in new}
        theirs = {None, *back}
        _put(w.dialect, "photograph", (_changed(row, folder_id=places.get(row["folder_id"])) for row in new))
        problems = (row for row in _rows(kept, one, "problem") if row["photograph_id"] in theirs)
        _put(w.dialect, "problem", map(_anew, problems), numbered=True)
        _put(w.dialect, "passed_over", _rows(kept, one, "passed_over"))
        for table in _BY_CONTENT:
            _put(w.dialect, table, _rows(kept, one, table))
        for table in _BY_PHOTOGRAPH:
            _put(w.dialect, table, (row for row in _rows(kept, one, table) if row["photograph_id"] in back))
        kinds = {row["id"]: row["key"] for row in _rows(kept, one, "descriptor_kind")}
        same = {kind.id for kind in w.descriptors.kinds() if kinds.get(kind.id) == kind.key}
        low = (1 << PHOTOGRAPH_BITS) - 1
        vectors = (
            row
            for row in _rows(kept, one, "descriptor")
            if row["id"] & low in back and row["id"] >> PHOTOGRAPH_BITS in same
        )
        _put(w.dialect, "descriptor", vectors)
        w.camera_notes.forget_absent()  # of files that have changed since
    return len(back)


def drop(path: Path, number: int | None = None) -> bool:
    """Discard a forgotten folder, or all of them; return whether there was one."""
    there = waiting(path)
    if number is not None and [one.number for one in there] != [number]:
        with closing(connect(path, Access.WRITE, WAIT_S)) as kept:
            kept.execute("DELETE FROM forgotten WHERE number = ?", (number,))
    else:
        for name in (path.name, f"{path.name}-journal"):
            with suppress(OSError):
                path.with_name(name).unlink()
    return bool(there)


def _made(path: Path) -> sqlite3.Connection:
    """Open the file, making it, for its owner alone, where there is none."""
    if not waiting(path):
        drop(path)  # what was begun and never filled
    private_files.make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    kept = connect(path, Access.WRITE, WAIT_S)
    with closed_on_failure(kept):
        kept.execute(f"PRAGMA user_version = {_VERSION}")
        kept.execute("CREATE TABLE IF NOT EXISTS forgotten (number INTEGER PRIMARY KEY, volume_id, under, photographs)")
    return kept


def _copy(
    read: Dialect, kept: sqlite3.Connection, number: int, table: str, which: str, given: tuple[int | bytes, ...]
) -> None:
    cursor = read.execute(f"SELECT * FROM {table} WHERE {which}", given)
    names = ", ".join(f'"{one[0]}"' for one in cursor.description or ())
    kept.execute(f"CREATE TABLE IF NOT EXISTS {table} (number, {names})")
    marks = ", ".join("?" * len(cursor.description or ()))
    for rows in pieces(cursor, _PAGE):
        kept.executemany(f"INSERT INTO {table} VALUES (?, {marks})", [(number, *row) for row in rows])


def _rows(kept: sqlite3.Connection, one: SetAside, table: str) -> Iterator[Row]:
    if not kept.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
        return
    cursor = kept.execute(f"SELECT * FROM {table} WHERE number = ?", (one.number,))
    names = [described[0] for described in cursor.description]
    for row in cursor:
        values = dict(zip(names, row, strict=True))
        del values["number"]
        yield values


def _changed(row: Row, **values: Any) -> Row:
    """Return a row other values; where they are others, the library computes its checksum anew."""
    changed = row | values
    return row if changed == row else changed | {"checksum": None}


def _anew(row: Row) -> Row:
    """Return a row that gets another id, and with it another checksum."""
    return {name: value for name, value in row.items() if name not in {"id", "checksum"}}


def _put(dialect: Dialect, table: str, rows: Iterable[Row], numbered: bool = False) -> None:
    for page in pieces(rows, _PAGE):
        dialect.insert(table, page, "ON CONFLICT DO NOTHING", numbered)


def _put_folders(w: Transaction, one: SetAside, rows: Iterable[Row]) -> dict[int, int]:
    """Put folders back on the list, unless one around them is on it; return their new ids by the old ones."""
    places = {row.id: row.id for row in w.folders.all()}
    for row in rows:
        above = next((have.id for have in w.folders.all() if _is_around(have, one.volume_id, row["path"])), None)
        if above is None:
            _put(w.dialect, "folder", [_anew(row)], numbered=True)
            above = next(have.id for have in w.folders.all() if _is_around(have, one.volume_id, row["path"]))
        places[row["id"]] = above
    return places


def _is_around(row: FolderRow, volume_id: int, path: bytes) -> bool:
    if row.volume_id != volume_id:
        return False
    return not row.path or path == row.path or path.startswith(row.path + b"/")
