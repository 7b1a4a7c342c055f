"""Repair of damaged rows: a flipped bit is put back, and what can be computed again is removed.

A flipped bit changes a CRC by a value that depends on nothing but its distance from the end, and all these values
differ, so the checksum of a row says which bit has flipped. Damage of any other kind fits such a value by chance once
in 4 billion / (bits of the row).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Table, update

from twinlens.core.message import NOTHING, Message, counted
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.place import Place
from twinlens.storage.database.schema import (
    array,
    code_segment,
    descriptor,
    descriptor_kind,
    facts,
    keypoints,
    model,
    passed_over,
    photograph,
    problem,
    search_index,
)
from twinlens.storage.database.values import PHOTOGRAPH_BITS, PhotographState
from twinlens.storage.integrity.checksums import Value, checksum, named
from twinlens.storage.integrity.row_checks import CheckedRows, DamagedRow, Fits, check_rows, delete_rows
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.photographs.descriptors import KindRow

AGAIN = Message("A repair reads the photos again.")
ANEW = Message("A repair computes them anew.")
REMOVED = Message("A repair removes them.")
_AS_IT_WAS = Message("A repair puts it back as it was.")
Mend = Callable[[Transaction], None]


@dataclass(frozen=True)
class Finding:
    """A damage of a library, with its repair.

    Attributes
    ----------
    outcome : Message
        What a repair makes of it.
    mend : callable or None
        Puts it right in a transaction that writes, or removes what is computed again afterwards; None where neither
        can be done, and only a backup helps.
    """

    sentence: Message
    outcome: Message = NOTHING
    mend: Mend | None = None


def mend_all(store: Store, found: Sequence[Finding]) -> list[Message]:
    """Mend each finding in a transaction of its own, and return the sentences of the mended ones."""
    mended = []
    for finding in found:
        if finding.mend is None:
            continue
        try:
            with store.writing("repairing the library") as w:
                finding.mend(w)
        except Exception as error:
            if not is_of_database(error, "IntegrityError"):
                raise
            continue  # what it would make contradicts what else is damaged: the check tells of it again
        mended.append(finding.sentence)
    return mended


def is_of_database(error: BaseException, name: str) -> bool:
    """Return whether a driver, or SQLAlchemy for it, has raised an error of a name that all drivers have (PEP 249)."""
    of_drivers = {"sqlite3", "psycopg", "sqlalchemy"}
    return any(one.__name__ == name and one.__module__.split(".")[0] in of_drivers for one in type(error).__mro__)


def remove_damaged(store: Store, fits: Fits, progress: Progress = silent) -> int:
    """Verify vectors and keypoints, and remove those that are damaged: their photographs are read again next.

    Returns
    -------
    int
        How many were removed.
    """
    with store.reading() as r:
        rows = check_rows(store.place, r.dialect, fits, progress, (descriptor, keypoints))
    if rows.damaged:
        with store.writing("removing what is damaged") as w:
            delete_rows(w, rows.damaged)
    return len(rows.damaged)


def findings(place: Place, moment: Transaction, rows: CheckedRows) -> Iterator[Finding]:
    """Return the damages of a library, each with its repair."""
    names = _index_names(place, moment)
    for one in (descriptor_kind, model, array):
        yield from _learned(moment, one, rows.of(one), names)
    yield from _vectors(moment, rows.of(descriptor))
    count = len(rows.of(keypoints))
    words = counted(
        "The keypoints of {count} photo are damaged.", "The keypoints of {count} photos are damaged.", count
    )
    yield from _again(rows.of(keypoints), words)
    yield from _codes(rows.of(code_segment), names)
    count = len(rows.of(passed_over))
    words = counted(
        "{count} record of a skipped file is damaged.", "{count} records of skipped files are damaged.", count
    )
    yield from _again(rows.of(passed_over), words)
    count = len(rows.of(problem))
    words = counted("{count} record of a problem is damaged.", "{count} records of problems are damaged.", count)
    yield from _again(rows.of(problem), words)
    treated = {descriptor_kind, model, array, descriptor, keypoints, code_segment, passed_over, problem}
    for one in dict.fromkeys(row.table for row in rows.damaged if row.table not in treated):
        yield from _precious(one, rows.of(one))


def _precious(one: Table, damaged: Sequence[DamagedRow]) -> Iterator[Finding]:
    """Put back rows that cannot be computed, where one bit has flipped; otherwise have a photograph read again."""
    for row in damaged:
        mend = _put_back(row)
        if mend is not None:
            yield Finding(_damaged(row), _AS_IT_WAS, mend)
        elif one is photograph and isinstance(row.value("id"), int):
            yield Finding(_damaged(row), Message("A repair reads it again."), _read_again(row))
        else:
            yield Finding(Message("Damaged, and cannot be computed again: {row}.", row=_named(row)))


def _again(damaged: Sequence[DamagedRow], sentence: Message) -> Iterator[Finding]:
    """Remove rows that are made again when folders are scanned."""
    if damaged:
        yield Finding(sentence, AGAIN, lambda w: delete_rows(w, damaged))


def _vectors(moment: Transaction, damaged: Sequence[DamagedRow]) -> Iterator[Finding]:
    kinds = {kind.id: kind.name for kind in moment.descriptors.kinds_unverified()}
    by_kind: defaultdict[str | None, list[DamagedRow]] = defaultdict(list)
    for row in damaged:
        key = row.value("id")
        by_kind[kinds.get(key >> PHOTOGRAPH_BITS) if isinstance(key, int) else None].append(row)
    for text, some in by_kind.items():
        sentence = counted("{count} vector is damaged.", "{count} vectors are damaged.", len(some))
        if text is not None:
            sentence = counted(
                "{count} vector of {kind} is damaged.", "{count} vectors of {kind} are damaged.", len(some), kind=text
            )

        def mend(w: Transaction, some: list[DamagedRow] = some) -> None:
            delete_rows(w, some)

        yield Finding(sentence, AGAIN, mend)


def _codes(damaged: Sequence[DamagedRow], names: dict[object, str]) -> Iterator[Finding]:
    by_index: defaultdict[object, list[DamagedRow]] = defaultdict(list)
    for row in damaged:
        by_index[row.value("index_id")].append(row)
    for index_id, some in by_index.items():
        name = names.get(index_id, "?")

        def mend(w: Transaction, some: list[DamagedRow] = some, index_id: object = index_id) -> None:
            delete_rows(w, some)
            if isinstance(index_id, int):
                w.codes.touch(index_id)

        yield Finding(Message("The codes of the index “{name}” are damaged.", name=name), ANEW, mend)


def _learned(
    moment: Transaction, one: Table, damaged: Sequence[DamagedRow], names: dict[object, str]
) -> Iterator[Finding]:
    """Put a model back, or have it learned anew by its declaration."""
    taught = set(moment.dialect.column("SELECT model_id FROM metric"))  # not to be computed again
    for row in damaged:
        mend = _put_back(row, LONG if row.table is array and row.value("model_id") in taught else SHORT)
        if mend is not None:
            yield Finding(_damaged(row), _AS_IT_WAS, mend)
            continue
        if one is descriptor_kind:
            kind_id = row.value("id")
            kinds = [kind for kind in moment.descriptors.kinds_unverified() if kind.id == kind_id]
            yield Finding(_damaged(row), AGAIN, _without_kinds(kinds))
            continue
        yield from _model(moment, row.value("id" if one is model else "model_id"), names)


def _model(moment: Transaction, model_id: object, names: dict[object, str]) -> Iterator[Finding]:
    """Return the users of a damaged model: an index is fitted anew, a learned metric is not."""
    using = "SELECT id FROM search_index WHERE model_id = ? OR metric_model_id = ?"
    indexes = moment.dialect.column(using, (model_id, model_id))
    kept = moment.dialect.column("SELECT name FROM metric WHERE model_id = ?", (model_id,))
    kinds = [kind for kind in moment.descriptors.kinds_unverified() if kind.model_id == model_id]
    for name in kept:
        yield Finding(
            Message("The metric “{name}” is damaged, and cannot be computed again as it was.", name=name),
            Message("You can delete it and learn it again from your marks."),
        )
    if kept:
        return
    if indexes:
        learned = counted(
            "What the index {names} has learned is damaged.",
            "What the indexes {names} have learned is damaged.",
            len(indexes),
            names=[names[one] for one in indexes],
        )
        outcome = Message("A repair fits it anew, by the same parameters and the same seed.")
        yield Finding(learned, outcome, _without_model(model_id, indexes))
    for kind in kinds:
        sentence = Message("What makes the vectors of {kind} is damaged.", kind=kind.name)
        yield Finding(sentence, AGAIN, _without_kinds([kind]))
    if not indexes and not kinds:
        sentence = Message("A model that nothing uses is damaged.")
        yield Finding(sentence, Message("A repair removes it."), _without_model(model_id, []))


def _without_model(model_id: object, index_ids: Sequence[int]) -> Mend:
    def mend(w: Transaction) -> None:
        for index_id in index_ids:
            w.indexes.unfit(index_id)
        _release(w, [model_id])

    return mend


def _without_kinds(kinds: Sequence[KindRow]) -> Mend:
    def mend(w: Transaction) -> None:
        for kind in kinds:
            for index_id in w.dialect.column("SELECT id FROM search_index WHERE kind_id = ?", (kind.id,)):
                w.indexes.unfit(index_id, kind_id=None)
            w.descriptors.remove_kind(kind)
        _release(w, [kind.model_id for kind in kinds])

    return mend


def _release(w: Transaction, model_ids: Iterable[object]) -> None:
    """Remove models, so that new ones under the same keys are kept."""
    for model_id in model_ids:
        w.dialect.execute("DELETE FROM model WHERE id = ?", (model_id,))


SHORT, LONG = 1 << 19, 1 << 25
"""Bits that are gone through, from the end: those of 64 KB in a tenth of a second, of 4 MB in some seconds."""


def _put_back(row: DamagedRow, bits: int = SHORT) -> Mend | None:
    """Return the repair that puts a flipped bit of a row back; None where the damage is of another kind."""
    values = corrected(row.values, row.stored, bits)
    if values is None:
        return None

    def mend(w: Transaction) -> None:
        columns = facts(row.table)
        changed = {
            column.name: value
            for column, value, before in zip(columns, values, row.values, strict=True)
            if value != before
        }
        if changed:
            w.connection.execute(update(row.table).where(row.here()).values(changed))
        whole = replace(row, values=values)  # what the change has made of its checksum does not fit
        w.connection.execute(update(row.table).where(whole.here()).values(checksum=checksum(*values)))

    return mend


def _read_again(row: DamagedRow) -> Mend:
    """Mark a photograph to be read again; one with a damaged path is found at its own with the next rescan."""

    def mend(w: Transaction) -> None:
        for values in ({"checksum": None}, {"state": PhotographState.PENDING}):
            w.connection.execute(update(photograph).where(row.here()).values(values))

    return mend


def _named(row: DamagedRow) -> Message:
    return named(
        row.table.name, {column.name: value for column, value in zip(facts(row.table), row.values, strict=True)}
    )


def _damaged(row: DamagedRow) -> Message:
    return Message("Damaged: {row}.", row=_named(row))


def _index_names(place: Place, moment: Transaction) -> dict[object, str]:
    id_, name = (search_index.c.keys().index(column) for column in ("id", "name"))
    return {
        row[id_]: str(row[name]).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for row in place.rows(moment.dialect, search_index)
    }


_POLYNOMIAL = 0xEDB88320
_INTEGER_BITS = 64


def corrected(values: Sequence[Value], stored: object, bits: int = SHORT) -> tuple[Value, ...] | None:
    """Return values of a damaged row as they were, if one bit of them or of the checksum has flipped; otherwise None.

    Parameters
    ----------
    values : sequence
        As they are now.
    stored : object
        The checksum in the row.
    bits : int
        How many of the last bits of the row are tried.

    Examples
    --------
    >>> corrected((7, "beoch", b"abc"), checksum(7, "bench", b"abc"))
    (7, 'bench', b'abc')
    >>> corrected((-121, "bench"), checksum(7, "bench"))
    (7, 'bench')
    >>> corrected((7, "tree", None), checksum(7, "bench", None)) is None
    True
    """
    if not isinstance(stored, int) or not 0 <= stored < 1 << 32:
        return None
    difference = stored ^ checksum(*values)
    if difference.bit_count() <= 1:
        return tuple(values)  # the checksum itself
    distance = _distance(difference, min(bits, _bits(values)))
    for place, value in enumerate(values):
        if isinstance(value, int):
            candidates: list[Value] = [value + sign * (1 << bit) for bit in range(_INTEGER_BITS) for sign in (1, -1)]
        elif isinstance(value, str | bytes) and distance is not None:
            after = _bits(values[place + 1 :])
            candidates = [] if distance < after else [*_flipped(value, distance - after)]
        else:
            continue
        for candidate in candidates:
            tried = (*values[:place], candidate, *values[place + 1 :])
            if checksum(*tried) == stored:
                return tried
    return None


def _bits(values: Sequence[Value]) -> int:
    """Count the bits over which the checksum of values goes."""
    count = 0
    for value in values:
        if isinstance(value, str | bytes):
            data = _bytes(value)
            count += len(data) + len(b"b%d:" % len(data))
        elif value is None:
            count += 1
        elif isinstance(value, float):
            count += 9
        elif isinstance(value, int):
            count += len(b"i%d:" % value)
    return 8 * count


def _distance(difference: int, bits: int) -> int | None:
    """Return how many bits before the end the bit lies that changes a checksum by a difference."""
    change = _POLYNOMIAL
    for distance in range(bits):
        if change == difference:
            return distance
        change = change >> 1 ^ (_POLYNOMIAL if change & 1 else 0)
    return None


def _flipped(value: str | bytes, distance: int) -> list[Value]:
    """Flip the bit so many bits before the end of a value, if it is as long."""
    data = bytearray(_bytes(value))
    if distance >= 8 * len(data):
        return []
    data[len(data) - 1 - distance // 8] ^= 0x80 >> distance % 8
    try:
        return [data.decode() if isinstance(value, str) else bytes(data)]
    except UnicodeDecodeError:
        return []


def _bytes(value: str | bytes) -> bytes:
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
