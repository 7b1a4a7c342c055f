"""Numbers and names of the explorer, as they are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.language.spoken import _, number

if TYPE_CHECKING:
    from app.gui.compare.board_data import RankedTile
    from app.lab.explore.codes import Reduction
    from app.lab.explore.explorer import ExplorerReading
    from app.lab.explore.knobs import Knob, KnobSetting


def value_words(value: Any) -> str:
    """Write a value of a parameter."""
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return number(value, ".4g")
    return str(value)


def share_words(value: float | None) -> str:
    """Write a share to three digits; a dash where there is none."""
    return "–" if value is None else number(value, ".3f")


def found_words(question: RankedTile | None, hits: Sequence[RankedTile], reading: ExplorerReading) -> str:
    """Return how many of the true results one photograph finds; provisional, where the exact ones follow."""
    if question is None:
        return ""
    right = sum(1 for hit in hits if hit.agrees)
    words = _("**{right}** of the true {hits} · asked with {name}", right=right, hits=len(hits), name=question.name)
    return words if reading.exact else _("{found} · provisional", found=words)


def reduced_words(reduced: Sequence[Reduction]) -> str:
    """Return in which way an answer is coarse: ``24 of 100 questions, 256 of 1,000 landmarks``."""

    def words(what: str, used: int, of: int) -> str:
        return {
            "questions": _("{used} of {of} questions", used=used, of=of),
            "landmarks": _("{used} of {of} landmarks", used=used, of=of),
            "items": _("learned from {used} of {of} photos", used=used, of=of),
            "turns": _("{used} of {of} turns", used=used, of=of),
        }[what]

    return ", ".join(words(one.what, one.used, one.of) for one in reduced)


def moved_words(knob: Knob, before: KnobSetting, after: KnobSetting, was: ExplorerReading, now: ExplorerReading) -> str:
    """Return what moving a parameter did: ``64 → 16: recall@10 .740 → .610, bytes unchanged``."""
    old, new = value_words(before.value(knob.path)), value_words(after.value(knob.path))
    told = [_("recall@10 {old} → {new}", old=share_words(was.recall.get(10)), new=share_words(now.recall.get(10)))]
    if knob.path.startswith("search."):
        told = [
            _("overlap@10 {old} → {new}", old=share_words(was.overlap), new=share_words(now.overlap)),
            _("looks at {old:,.0f} → {new:,.0f}", old=was.looked_at, new=now.looked_at),
        ]
    elif was.code_bytes != now.code_bytes:
        told.append(_("{old} → {new} bytes a code", old=was.code_bytes, new=now.code_bytes))
    elif was.captured is not None and now.captured is not None and abs(was.captured - now.captured) >= 0.005:
        told.append(_("{old:.0%} → {new:.0%} kept", old=was.captured, new=now.captured))
    else:
        told.append(_("bytes unchanged"))
    if not now.exact:
        told.append(_("nearly"))
    return f"{old} → {new}: {', '.join(told)}"


def what_reading(reading: ExplorerReading, index: str, truth: str) -> str:
    """Return what figures are of, and whether they are exact."""
    if reading.exact:
        return _(
            "**Exact**: {questions} questions among {photographs} photos of {index}, held against exact search "
            "({truth}).",
            questions=reading.questions,
            photographs=reading.photographs,
            index=index,
            truth=truth,
        )
    return _(
        "**Provisional**, the exact figures follow: {reduced}, {photographs} photos, held against exact search "
        "({truth}).",
        reduced=reduced_words(reading.reduced),
        photographs=reading.photographs,
        truth=truth,
    )
