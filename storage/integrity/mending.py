"""What can be done about damaged rows: a flipped bit is put back, and what can be computed again makes room for that.

A person's own words (marks, names, folders, settings) are put back or left as they are, never removed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Table, delete, select
from sqlalchemy.exc import IntegrityError

from storage.database.schema import (
    PHOTOGRAPH_BITS,
    array,
    code_segment,
    descriptor,
    descriptor_kind,
    keypoints,
    metric,
    model,
    passed_over,
    photograph,
    problem,
    search_index,
)
from storage.integrity.bit_correction import LONG, SHORT, corrected
from storage.integrity.checksums import checksum, facts, named
from storage.integrity.row_checks import DamagedRow, Rows, delete_rows
from storage.library.store import Store
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow

RESTORE = "Restore a backup with `twinlens restore FILE`."
REPAIR = "Run `twinlens check --repair`: "
AGAIN = f"{REPAIR}their photographs are read again."

Mend = Callable[[Transaction], None]


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a library, and what to do about it.

    Attributes
    ----------
    sentence, next_step : str
    mend : callable or None
        Puts it right in a transaction that writes, or removes what is computed again afterwards; None where neither
        can be done.
    """

    sentence: str
    next_step: str
    mend: Mend | None = None


def mend_all(store: Store, found: Sequence[Finding]) -> list[str]:
    """Mend what can be mended, each finding in a transaction of its own, and give the sentences of those that are."""
    mended = []
    for finding in found:
        if finding.mend is None:
            continue
        try:
            with store.writing("repairing the library") as w:
                finding.mend(w)
        except IntegrityError:  # what it would make contradicts what else is damaged: the check tells of it again
            continue
        mended.append(finding.sentence)
    return mended


def findings(moment: Transaction, rows: Rows) -> Iterator[Finding]:
    """Say what is damaged, and what can be done about it."""
    for one in (descriptor_kind, model, array):
        yield from _learned(moment, one, rows.of(one))
    yield from _vectors(moment, rows.of(descriptor))
    yield from _again(keypoints, rows.of(keypoints), "keypoints of {} photograph(s) are damaged.")
    yield from _codes(moment, rows.of(code_segment))
    yield from _again(passed_over, rows.of(passed_over), "{} record(s) of files that are no pictures are damaged.")
    yield from _again(problem, rows.of(problem), "{} record(s) of problems are damaged.")
    treated = {descriptor_kind, model, array, descriptor, keypoints, code_segment, passed_over, problem}
    for one in dict.fromkeys(row.table for row in rows.damaged if row.table not in treated):
        yield from _precious(one, rows.of(one))


def _precious(one: Table, damaged: Sequence[DamagedRow]) -> Iterator[Finding]:
    """Put back what nobody can compute, where one bit has flipped; a photograph is otherwise read again."""
    for row in damaged:
        mend = _put_back(row)
        if mend is not None:
            yield Finding(f"{_named(row)} is damaged.", f"{REPAIR}it is put back as it was.", mend)
        elif one is photograph and isinstance(row.value("id"), int):
            yield Finding(f"{_named(row)} is damaged.", f"{REPAIR}it is read again.", _read_again(row))
        else:
            yield Finding(f"{_named(row)} is damaged, and cannot be computed again.", RESTORE)


def _again(one: Table, damaged: Sequence[DamagedRow], sentence: str) -> Iterator[Finding]:
    """Remove what is made again when folders are looked through."""
    if damaged:
        words = sentence.format(f"{len(damaged):,}")
        yield Finding(words[0].upper() + words[1:], AGAIN, lambda w: delete_rows(w.connection, damaged))


def _vectors(moment: Transaction, damaged: Sequence[DamagedRow]) -> Iterator[Finding]:
    kinds = {kind.id: kind.text for kind in moment.descriptors.kinds_unverified()}
    by_kind: defaultdict[str | None, list[DamagedRow]] = defaultdict(list)
    for row in damaged:
        key = row.value("id")
        by_kind[kinds.get(key >> PHOTOGRAPH_BITS) if isinstance(key, int) else None].append(row)
    for text, some in by_kind.items():
        of = "" if text is None else f" of {text}"

        def mend(w: Transaction, some: list[DamagedRow] = some) -> None:
            delete_rows(w.connection, some)

        yield Finding(f"{len(some):,} vector(s){of} are damaged.", AGAIN, mend)


def _codes(moment: Transaction, damaged: Sequence[DamagedRow]) -> Iterator[Finding]:
    names = _index_names(moment)
    by_index: defaultdict[object, list[DamagedRow]] = defaultdict(list)
    for row in damaged:
        by_index[row.value("index_id")].append(row)
    for index_id, some in by_index.items():
        name = names.get(index_id, "?")

        def mend(w: Transaction, some: list[DamagedRow] = some, index_id: object = index_id) -> None:
            delete_rows(w.connection, some)
            if isinstance(index_id, int):
                w.codes.touch(index_id)

        yield Finding(f"The codes of the index “{name}” are damaged.", f"{REPAIR}they are computed anew.", mend)


def _learned(moment: Transaction, one: Table, damaged: Sequence[DamagedRow]) -> Iterator[Finding]:
    """Put back what was learned, or have it learned anew by its declaration, which says how."""
    taught = set(moment.connection.execute(select(metric.c.model_id)).scalars())  # not to be computed again
    for row in damaged:
        name = _named(row)
        mend = _put_back(row, LONG if row.table is array and row.value("model_id") in taught else SHORT)
        if mend is not None:
            yield Finding(f"{name} is damaged.", f"{REPAIR}it is put back as it was.", mend)
            continue
        if one is descriptor_kind:
            kind_id = row.value("id")
            kinds = [kind for kind in moment.descriptors.kinds_unverified() if kind.id == kind_id]
            yield Finding(f"{name} is damaged.", AGAIN, _without_kinds(kinds))
            continue
        yield from _model(moment, row.value("id" if one is model else "model_id"))


def _model(moment: Transaction, model_id: object) -> Iterator[Finding]:
    """Say who uses a damaged model: an index is fitted anew, what a person has taught is not."""
    c = search_index.c
    using = select(c.id).where((c.model_id == model_id) | (c.metric_model_id == model_id))
    indexes = moment.connection.execute(using).scalars().all()
    names = _index_names(moment)
    kept = moment.connection.execute(select(metric.c.name).where(metric.c.model_id == model_id)).scalars().all()
    kinds = [kind for kind in moment.descriptors.kinds_unverified() if kind.model_id == model_id]
    for name in kept:
        yield Finding(
            f"The metric “{name}” is damaged, and cannot be computed again as it was.",
            "Restore a backup with `twinlens restore FILE`, or delete it with `twinlens metrics delete` and learn it "
            "again from your marks with `twinlens learn`.",
        )
    if kept:
        return
    if indexes:
        yield Finding(
            f"What {' and '.join(f'the index “{names[one]}”' for one in indexes)} has learned is damaged.",
            f"{REPAIR}it is fitted anew, by the same parameters and the same seed.",
            _without_model(model_id, indexes),
        )
    for kind in kinds:
        yield Finding(f"What makes the vectors of {kind.text} is damaged.", AGAIN, _without_kinds([kind]))
    if not indexes and not kinds:
        yield Finding("A model that nothing uses is damaged.", f"{REPAIR}it is removed.", _without_model(model_id, []))


def _without_model(model_id: object, index_ids: Sequence[int]) -> Mend:
    def mend(w: Transaction) -> None:
        for index_id in index_ids:
            w.indexes.unfit(index_id)
        _release(w, [model_id])

    return mend


def _without_kinds(kinds: Sequence[KindRow]) -> Mend:
    def mend(w: Transaction) -> None:
        c = search_index.c
        for kind in kinds:
            for index_id in w.connection.execute(select(c.id).where(c.kind_id == kind.id)).scalars().all():
                w.indexes.unfit(index_id, kind_id=None)
            w.descriptors.remove_kind(kind)
        _release(w, [kind.model_id for kind in kinds])

    return mend


def _release(w: Transaction, model_ids: Iterable[object]) -> None:
    """Remove models, so that what is computed anew under the same key is kept."""
    for model_id in model_ids:
        w.connection.execute(delete(model).where(model.c.id == model_id))


def _put_back(row: DamagedRow, bits: int = SHORT) -> Mend | None:
    """Return what puts a flipped bit of a row back; None where the damage is of another kind."""
    values = corrected(row.values, row.stored, bits)
    if values is None:
        return None

    def mend(w: Transaction) -> None:
        whole = replace(row, values=values)
        names = [f'"{column.name}" = ?' for column in facts(row.table)]
        for assigned, given, found in (
            (", ".join(names), values, row),
            ("checksum = ?", (checksum(*values),), whole),  # what the change has made of it does not fit
        ):
            where, key = found.here()
            w.connection.exec_driver_sql(f"UPDATE {row.table.name} SET {assigned} WHERE {where}", (*given, *key))  # noqa: S608

    return mend


def _read_again(row: DamagedRow) -> Mend:
    """Have a photograph read again; where its path is what is damaged, it is found at its own with the next rescan."""

    def mend(w: Transaction) -> None:
        where, key = row.here()
        w.connection.exec_driver_sql(f"UPDATE photograph SET checksum = NULL WHERE {where}", key)  # noqa: S608
        w.connection.exec_driver_sql(f"UPDATE photograph SET state = 'pending' WHERE {where}", key)  # noqa: S608

    return mend


def _named(row: DamagedRow) -> str:
    """Name a row for people, at the beginning of a sentence."""
    values = {column.name: value for column, value in zip(facts(row.table), row.values, strict=True)}
    name = shown_text(named(row.table, values))
    return name[0].upper() + name[1:]


def _index_names(moment: Transaction) -> dict[object, str]:
    found = moment.connection.exec_driver_sql("SELECT id, CAST(name AS BLOB) FROM search_index").all()
    return {index_id: bytes(name).decode("utf-8", "replace") for index_id, name in found}


def shown_text(text: str) -> str:
    """Write a text that was read from what need not be UTF-8 so that every terminal can take it."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
