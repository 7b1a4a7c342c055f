"""What drives the Advice page: asking for advice, what comes of it while it goes on, and making what it proposes."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from app.advice_choice import choose
from app.advice_figures import frontier_figures, point_figures
from app.advice_kept import KeptAdvice, keep_advice, last_advice, photographs
from app.advice_questions import NamedPairs
from app.advice_telling import same_command
from app.advising import advise
from app.compare_columns import Column
from app.durations import time_left
from app.gui.advice import words
from app.gui.advice.facts import EDITS, NEIGHBOURS, PAIRS, AdviceShown
from app.gui.advice.pairs_control import PairsControl
from app.gui.advice.view import AdviceView
from app.gui.figures_control import FiguresControl
from app.gui.opened import Opened
from core.progress import Progress

if TYPE_CHECKING:
    from app.advice_results import AdvicePoint, AdviceResult
    from app.gui.frame import Frame

ADVISING = "advice"
_STANDING, _DELETING = "advice standing", "advice undone"
_TICK_MS = 250
_COMPILED_S = 20.0


class _Standing:
    """How the library stands: its photographs, its indexes by text, and the advice that it remembers."""

    def __init__(self, count: int, names: dict[str, str], kept: KeptAdvice | None) -> None:
        self.count, self.names, self.kept = count, names, kept


class AdviceControl(QObject):
    """The Advice page as a part of the Lab.

    Parameters
    ----------
    frame : Frame
    """

    _found = Signal(object)
    """A point, from the job."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.view = AdviceView()
        self._frame, self._jobs = frame, frame.jobs
        self._opened: Opened | None = None
        self._asked: Opened | None = None  # of which advice is worked out
        self._names: dict[str, str] = {}  # of the library's indexes, by their texts
        self._count = -1
        self._kept: KeptAdvice | None = None
        self._points: dict[str, AdvicePoint] = {}
        self._truth = EDITS
        self._chosen = ""  # instead of what is proposed
        self._building = ("", "")  # name and key
        self._making_default = False
        self._began = self._seconds = 0.0
        self._doing = ""
        self._stopping = False
        self._stale = False
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self.pairs = PairsControl(self.view.pairs, frame, self)
        self._figures = FiguresControl(self.view, frame.jobs, self)
        frame.told_in_view |= {ADVISING, _STANDING}
        self._connect()

    def _connect(self) -> None:
        view, jobs, adding = self.view, self._jobs, self._frame.adding
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)
        view.head.go_wanted.connect(self.go)
        view.head.cancel_wanted.connect(self.cancel)
        view.head.truth_chosen.connect(lambda _: self._say_ready())
        view.key_chosen.connect(self.choose)
        view.answer.build_wanted.connect(self.build)
        view.answer.default_wanted.connect(self.make_default)
        view.answer.compare_wanted.connect(self.compare)
        view.answer.back_wanted.connect(lambda: self.choose(""))
        view.left_out.copy_wanted.connect(self._on_copy)
        view.library_wanted.connect(lambda: self._frame.show_view("library"))
        view.left.connect(self._frame.leave)
        view.save_wanted.connect(self._figures.save)
        self._figures.told.connect(self._frame.status.show_message)
        self.pairs.changed.connect(self._say_ready)
        jobs.progressed.connect(self._on_progressed)
        jobs.failed.connect(self._on_failed)
        jobs.stopped.connect(self._on_stopped)
        adding.index_progressed.connect(self._on_index_progressed)
        adding.index_made.connect(self._on_index_made)
        adding.index_failed.connect(self._on_index_failed)
        # Nothing of it is written to whatever lies in the place of a library that is gone.
        self._frame.opening.let_go.connect(lambda: jobs.cancel(ADVISING))

    # --- the library -------------------------------------------------------------------------------------------------

    def take(self, opened: Opened) -> None:
        """Advise on this library from now on."""
        self._jobs.cancel(ADVISING)
        self._tick.stop()
        self._stopping, self._doing = False, ""
        self._opened = opened
        self._kept, self._points, self._chosen, self._count = None, {}, "", -1
        self._building = ("", "")
        self.view.show_nothing()
        kept = opened.state.get("advice")
        state: dict[str, Any] = kept if isinstance(kept, dict) else {}
        self.view.head.set_truth(str(state.get("truth", EDITS)))
        seconds = state.get("seconds")
        self.view.head.set_seconds(seconds if isinstance(seconds, int) else 60)
        self.view.show_truth(self.view.head.truth)
        self.pairs.take(opened, state.get("pairs"))
        self._look(first=True)

    def focus(self) -> None:
        """Put the keys on what comes next."""
        self.view.focus_content()

    def refresh(self) -> None:
        """Look again: photographs or indexes may have come or gone."""
        self._look()

    def state(self) -> dict[str, Any]:
        """Give what is chosen."""
        return {"truth": self.view.head.truth, "seconds": self.view.head.seconds, "pairs": self.pairs.state()}

    def running(self) -> bool:
        """Tell whether advice is being worked out."""
        return self._jobs.is_running(ADVISING)

    def _look(self, first: bool = False) -> None:
        opened = self._opened
        if opened is None:
            return

        def work(_: Progress) -> _Standing:
            from app.indexes import list_indexes

            names = {one.text: one.name for one in list_indexes(opened.library).indexes}
            return _Standing(photographs(opened.library), names, last_advice(opened.library) if first else None)

        self._jobs.start(_STANDING, work, self._on_standing)

    def _on_standing(self, standing: _Standing) -> None:
        self._count, self._names = standing.count, standing.names
        self.view.show_photographs(standing.count)
        if standing.kept is not None:
            self._kept = standing.kept
        if self.running():
            return
        if standing.kept is not None:
            self._show_kept()
        elif self._kept is not None:
            self._show_answer()
        self._say_ready()

    # --- asking ------------------------------------------------------------------------------------------------------

    def go(self) -> None:
        """Measure, as long as was said."""
        opened, head = self._opened, self.view.head
        if opened is None or self.running() or not self.view.shows_photographs():
            return
        truth, seconds = head.truth, float(head.seconds)
        pairs = self.pairs.named() if truth == PAIRS else None
        if pairs is not None and not pairs.match:
            self._say_ready()
            return
        self._truth, self._points, self._chosen = truth, {}, ""
        self._began, self._seconds, self._doing, self._stopping = time.monotonic(), seconds, "", False
        self.view.show_waiting(self.tr("Nothing is measured yet."))
        self._on_tick()
        self._tick.start()
        found = self._found.emit

        def work(progress: Progress) -> KeptAdvice:
            result = advise(
                opened.library, seconds, truth=NEIGHBOURS if truth == NEIGHBOURS else EDITS, pairs=pairs,
                progress=progress, found=found,
            )  # fmt: skip
            return keep_advice(opened.library, result, pairs)

        self._asked = opened
        self._jobs.start(ADVISING, work, lambda kept: self._on_advice(kept, opened))

    def cancel(self) -> None:
        """Stop; what is known gives the answer."""
        self._stopping = True
        self._jobs.cancel(ADVISING)
        self._on_tick()

    def _on_found(self, point: AdvicePoint) -> None:
        if self.running():
            self._points[point.key] = point
            self._stale = True

    def _on_tick(self) -> None:
        if not self.running() and self._points:
            return
        spent = time.monotonic() - self._began
        left = self._seconds - spent
        doing = self.tr("stopping…") if self._stopping else words.trying(self._doing) if self._doing else ""
        count = len(self._points)
        self.view.head.show_running(
            spent / self._seconds,
            doing,
            self.tr("%n measured", "", count) if count else "",
            self.tr("{0} left").format(time_left(max(0.0, left))) if left > 0 else self.tr("any moment now"),
        )
        if self._stale and self.view.isVisible():
            self._stale = False
            points = list(self._points.values())
            several = len({(one.descriptor, one.metric) for one in points}) > 1
            best = choose(points)
            self.view.show_measured(
                words.rows(points, "", ""), point_figures(points, self._truth, words=self._chart_words())
            )
            self.view.show_answer(words.so_far(best, self._truth, several), best.key, "", "")

    def _chart_words(self) -> tuple[str, str]:
        return self.tr("proposed"), self.tr("now")

    def _on_progressed(self, topic: str, done: float, total: float, text: str) -> None:
        if topic == ADVISING:
            self._doing = text

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == ADVISING:
            self._end()
            self._say_ready(f"{sentence} {next_step}".strip())

    def _on_stopped(self, topic: str) -> None:
        if topic == ADVISING:
            self._end()
            asked_here = self._asked is self._opened
            self._say_ready(self.tr("Stopped before anything was measured.") if asked_here else "")

    def _end(self) -> None:
        self._tick.stop()
        self._points = {}
        if self._kept is None:
            self.view.show_nothing()
        else:
            self._show_kept()

    def _on_advice(self, kept: KeptAdvice, opened: Opened) -> None:
        if opened is not self._opened:
            self._end()
            self._say_ready()
            return
        self._tick.stop()
        self._points, self._kept, self._chosen = {}, kept, ""
        self._count = kept.ready
        self._show_kept()
        self._say_ready()
        self.view.to_answer()
        if not self.view.isVisible():
            self._frame.status.show_message(self.tr("Advice is ready: see the Lab."))

    def _say_ready(self, why_not: str = "") -> None:
        if self.running():
            return
        head, can = self.view.head, self._count >= 0
        if not why_not and head.truth == PAIRS and not self.pairs.named().match:
            can, why_not = False, self.tr("Say first which photographs should match: at least one pair.")
        head.show_ready(can, why_not)

    # --- the answer --------------------------------------------------------------------------------------------------

    @property
    def result(self) -> AdviceResult | None:
        """The advice that is shown."""
        return None if self._kept is None else self._kept.result

    def point(self) -> AdvicePoint | None:
        """Give the index that is looked at: the proposed one, or the one that is chosen instead."""
        result = self.result
        if result is None:
            return None
        return next((one for one in result.points if one.key == self._chosen), None) or result.point()

    def choose(self, key: str) -> None:
        """Look at another index than the proposed one; an empty key goes back to it."""
        if self.running() or self.result is None:
            return
        self._chosen = "" if key == self.result.proposed else key
        self._show_answer()

    def _show_kept(self) -> None:
        result = self.result
        assert result is not None
        self.view.show_advice(
            AdviceShown(
                rows=words.rows(result.points, result.proposed, result.present),
                figures=frontier_figures(result, self._chart_words()),
                left_out=words.left_out(result),
                command=self._command(),
            )
        )
        self._show_answer()

    def _show_answer(self) -> None:
        point, kept, result = self.point(), self._kept, self.result
        if point is None or kept is None or result is None:
            return
        has = self._names.get(point.key, "")
        shown = words.answer(result, point.key, has, self._frame.searching.index)
        self.view.show_answer(shown, point.key, self._about(kept), self._grown(kept))
        if self._building[1] == point.key:
            self.view.answer.show_building(self.tr("Making “{0}”…").format(self._building[0]))

    def _about(self, kept: KeptAdvice) -> str:
        result = kept.result
        at = QDateTime.fromSecsSinceEpoch(int(datetime.fromisoformat(kept.made).timestamp()))
        when = QLocale().toString(at, self.tr("d MMMM yyyy, HH:mm"))
        parts = [
            when,
            self.tr("{0} photographs").format(f"{result.photographs:,}"),
            self.tr("{0} questions").format(f"{result.questions:,}"),
            self.tr("{0} measured in {1} s").format(f"{result.tried:,}", f"{result.seconds:,.0f}"),
        ]
        if result.cancelled:
            parts.append(self.tr("stopped before its time"))
        return " · ".join(parts)

    def _grown(self, kept: KeptAdvice) -> str:
        more = self._count - kept.ready
        if self._count < 0 or more == 0:
            return ""
        if more > 0:
            words_ = self.tr("Since then the library has grown by %n photograph(s): ask again.", "", more)
        else:
            words_ = self.tr("Since then the library has %n photograph(s) less: ask again.", "", -more)
        return words_.replace(str(abs(more)), f"{abs(more):,}")

    def _command(self) -> str:
        from app import places

        kept, opened = self._kept, self._opened
        if kept is None or opened is None:
            return ""
        pairs = None
        if kept.result.truth == PAIRS:
            pairs = NamedPairs(tuple(kept.match), tuple(kept.differ))
        path = opened.path
        usual = Path(places.default_library())
        truth = NEIGHBOURS if kept.result.truth == NEIGHBOURS else EDITS
        return same_command(kept.result.time_limit, truth, pairs, "" if path == usual else str(path))

    def _on_copy(self, command: str) -> None:
        QGuiApplication.clipboard().setText(command)
        self._frame.status.show_message(self.tr("The command is copied."))

    # --- what comes of it --------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Make the index that is looked at."""
        point = self.point()
        if point is None or self._building[0] or point.key in self._names:
            return
        name = self._free_name(point)
        self._building = (name, point.key)
        self._show_answer()
        self._frame.adding.create_index(point.descriptor, point.metric, point.method or "itq", point.search, name)

    def _free_name(self, point: AdvicePoint) -> str:
        name = self.tr("Exact") if point.exact else f"{point.method.partition(':')[0]} {point.bits}"
        plain = words.compares(point)
        name = f"{plain[:1].upper()}{plain[1:]} · {name}"
        taken, number = set(self._names.values()), 1
        while (name if number == 1 else f"{name} ({number})") in taken:
            number += 1
        return name if number == 1 else f"{name} ({number})"

    def _on_index_progressed(self, name: str, share: float, text: str) -> None:
        point = self.point()
        if name == self._building[0] and point is not None and point.key == self._building[1]:
            self.view.answer.show_building(self.tr("Making “{0}”: {1}").format(name, f"{share:.0%}"))

    def _on_index_made(self, name: str) -> None:
        if name != self._building[0]:
            return
        self._building = ("", "")
        self._look()
        self._frame.undoing.offer(self.tr("The index “{0}” is made.").format(name), lambda: self._delete(name))

    def _on_index_failed(self, sentence: str) -> None:
        if self._building[0]:
            self._building = ("", "")
            self._look()

    def _delete(self, name: str) -> None:
        opened = self._opened
        if opened is None:
            return

        def work(_: Progress) -> None:
            from app.indexes import delete_index

            delete_index(opened.library, name)

        def then(_: object) -> None:
            self._frame.pages.list_indexes()
            self._look()

        self._jobs.start(_DELETING, work, then)

    def make_default(self) -> None:
        """Search with the index that is looked at from now on."""
        point = self.point()
        name = "" if point is None else self._names.get(point.key, "")
        if not name:
            return
        before = self._frame.searching.index
        self._answer_by(name)
        words_ = self.tr("“{0}” answers from now on.").format(name)
        self._frame.undoing.offer(words_, lambda: self._answer_by(before))

    def _answer_by(self, name: str) -> None:
        self._frame._on_default(name)
        self._show_answer()

    def compare(self) -> None:
        """Show beside others what the index finds."""
        point = self.point()
        if point is None:
            return
        has = self._names.get(point.key, "")
        if has:
            column = Column(has)
        else:
            base = next((n for text, n in self._names.items() if text.startswith(point.descriptor + " · ")), "")
            if not base:
                self._frame.status.show_message(self.tr("Build it first, then it can be compared."))
                return
            column = Column(base, point.method, point.search)
        comparing = self._frame.comparing
        self._frame.show_view("compare")
        for one in (Column(self._frame.searching.index), column):
            if one not in comparing.columns():
                comparing.add(one)
        if comparing.question is None:  # with something: that of the library where the keys were, or a pair's
            pair = next((one.first.id for one in self.pairs.pairs if one.match), -1)
            current = self._frame.library_view.grid.current_id()
            asked = pair if pair >= 0 and self.view.head.truth == PAIRS else current
            if asked >= 0:
                comparing.ask_pictures([asked])
