"""What the Advice page says of indexes, in sentences with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.charts.figure_words import sentences
from app.gui.forms.declaration_words import told
from app.gui.lab.advice.advice_facts import AnswerShown, RowShown
from app.lab.advice.choice import reasons
from app.language.spoken import _
from app.methods import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.lab.advice.results import AdvicePoint, AdviceResult

_FEW = 100  # questions, up to which they are counted and not given in a hundred
_LISTED = 12
_TIED = "\u00a0"  # no line ends between a number and its unit


def milliseconds(seconds: float) -> str:
    """Write a time."""
    if seconds >= 1:
        return f"{seconds:,.1f}{_TIED}s"
    return f"{1000 * seconds:,.0f}{_TIED}ms" if seconds >= 0.01 else f"{1000 * seconds:,.1f}{_TIED}ms"


def size_each(size: float) -> str:
    """Write the bytes of one photograph."""
    return f"{size:,.0f}{_TIED}B"


def name_of(point: AdvicePoint, several: bool) -> str:
    """Name an index by its method and search structure, and by what it compares where that differs."""
    named = _("{method} with {search}", method=point.method, search=point.search)
    name = _("Exact search") if point.exact else named
    if not several:
        return name
    return _("{name} of {compares}", name=name, compares=compares(point))


def compares(point: AdvicePoint) -> str:
    """Say in plain words what an index compares."""
    plain = told(catalogue.descriptor(point.descriptor).plain_name)
    return f"{plain} · {point.metric}" if point.metric else plain


def _right(truth: str) -> str:
    return {
        "edits": _("edited copies"),
        "pairs": _("of the photographs that should match"),
        "marks": _("of the photographs marked as similar"),
        "neighbours": _("of the true nearest neighbours"),
    }[truth]


def _found(recall: float, point: AdvicePoint, truth: str) -> str:
    """Say how much is found: copies are counted, of the questions where they are few, else of a hundred."""
    if truth != "edits":
        return f"{recall:.0%}"
    of = min(point.questions, _FEW)
    return _("{name} of {compares}", name=round(recall * of), compares=of)


def sentence(point: AdvicePoint, truth: str, present: AdvicePoint | None, several: bool) -> str:
    """Say what an index does, and what the present one does."""
    found = _found(point.recall, point, truth)
    said = _(
        "{name_of} finds {found} {right}, answers in {seconds}, {size_each} each",
        name_of=name_of(point, several),
        found=found,
        right=_right(truth),
        seconds=milliseconds(point.seconds),
        size_each=size_each(point.bytes_per_photograph),
    )
    if present is None:
        return f"{said}."
    if present.key == point.key:
        return _("{said}: it is your present index.", said=said)
    theirs = _found(present.recall, point, truth)
    if theirs == found:
        more = _("your present index finds as many, in {seconds}.", seconds=milliseconds(present.seconds))
    else:
        more = _("your present index finds {partition}.", partition=theirs.partition(" ")[0])
    return f"{said}; {more}"


def so_far(point: AdvicePoint, truth: str, several: bool) -> AnswerShown:
    """Say what is best while others are still tried."""
    return AnswerShown(_("So far"), sentence(point, truth, None, several))


def answer(result: AdviceResult, key: str, has: str, answers: str) -> AnswerShown:
    """Say what is proposed, or of what is chosen instead what it does.

    Parameters
    ----------
    result : AdviceResult
    key : str
        Of what it is about.
    has : str
        The name under which the library has it; empty where it does not.
    answers : str
        The name of the index that answers now.
    """
    point = next(one for one in result.points if one.key == key)
    present = next((one for one in result.points if one.key == result.present), None)
    several = len({(one.descriptor, one.metric) for one in result.points}) > 1
    proposed = key == result.proposed
    if proposed:
        why = [one for one in result.reasons if one not in _states(result)]
        stays = key == result.present
        badge = _("No change needed") if stays else _("Proposed")
    else:
        why = reasons(result.points, point, result.photographs, result.truth)
        badge = _("Chosen instead")
    if has:
        state = _("The library has it: “{has}”.", has=has)
        state += " " + _("It answers now.") if has == answers else ""
    else:
        state = " ".join(_states(result)) if proposed else ""
    return AnswerShown(
        badge,
        sentence(point, result.truth, present, several),
        tuple(map(sentences, why)),
        sentences(state),
        build=not has,
        stays=proposed and bool(state),
        default=bool(has) and has != answers,
        compare=True,
        back=not proposed,
        key=key,
    )


def _states(result: AdviceResult) -> list[str]:
    """Return what is said of indexes that the library has: it stands beside what can be done."""
    return [one for one in result.reasons if one.startswith(("The library has it", "“"))]


def rows(points: Sequence[AdvicePoint], proposed: str, present: str) -> list[RowShown]:
    """Return rows of the table, in the order of the points; methods have the places that they have in the charts."""
    several = len({(one.descriptor, one.metric) for one in points}) > 1
    names = sorted({_group(one, points) for one in points})
    found = []
    for one in points:
        notes = [
            _("proposed") if one.key == proposed else "",
            _("answers now") if one.key == present else "",
            f"“{one.index}”" if one.index and one.key != present else "",
        ]
        found.append(
            RowShown(
                one.key,
                names.index(_group(one, points)),
                one.method or _("exact search"),
                "" if one.exact else one.search,
                compares(one) if several else "",
                one.recall,
                one.wrong,
                one.overlap,
                one.seconds,
                one.bytes_per_photograph,
                one.seconds_tenfold,
                tuple(filter(None, notes)),
                one.frontier,
                one.questions,
            )
        )
    return found


def _group(one: AdvicePoint, points: Sequence[AdvicePoint]) -> str:
    name = one.method.partition(":")[0] or "exact"
    several = len({point.descriptor for point in points}) > 1
    return f"{name} · {catalogue.descriptor(one.descriptor).plain_name}" if several else name


def left_out(result: AdviceResult) -> tuple[str, ...]:
    """Say what must be known besides, what was not tried, and what cannot be."""
    said = [sentences(one) for one in result.notes]
    if result.not_tried:
        some = result.not_tried[:_LISTED]
        groups: dict[str, list[str]] = {}
        for one in some:
            plain, *rest = _short(one).split(" · ")
            groups.setdefault(plain, []).append(" · ".join(rest).removesuffix(" · scan"))
        listed = "; ".join(f"{plain}: {', '.join(names)}" for plain, names in groups.items())
        if more := len(result.not_tried) - len(some):
            listed += _("; and {more} more", more=more)
        said.append(_("No time for {listed}.", listed=listed))
    said += result.refused[:_LISTED]
    return tuple(said)


def _short(key: str) -> str:
    """Write a key without the parameters of the descriptor."""
    first, *rest = key.split(" · ")
    return " · ".join([told(catalogue.descriptor(first).plain_name), *rest])


def trying(text: str) -> str:
    """Say what is being done: of a key the parts that a person tells indexes by."""
    if " · " not in text:
        return text[:1].upper() + text[1:]
    return _("Trying {short}", short=_short(text))
