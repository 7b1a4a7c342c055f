"""Headline of the Learn view: what learning changed, or what it could do now.

Its height is fixed, so nothing below it moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from twinlens.app.gui.actions.declared_actions import learn_actions
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import (
    STRETCH,
    ThinBar,
    button,
    column_of,
    command_button,
    label,
    row_of,
    set_role,
    surface,
)
from twinlens.app.language.texts import _, _n, text
from twinlens.app.learn.learn_results import LearnResult
from twinlens.core.learning import marks_wanted
from twinlens.core.message import Message, counted

if TYPE_CHECKING:
    from twinlens.app.marks.mark_results import MarksResult

HEIGHT = 92
_BAR_PX = 3
_EARLIER = 1.005  # what would be written as 1.00 says nothing
_BITS = Message("Learns short codes for an index of its own, which learns again when marks have changed.")
_LEARNED = (
    ("", Message("A metric"), Message("Learns which differences count, for every index of the same vectors.")),
    ("lda-itq:bits=64", Message("Codes by LDA + ITQ"), _BITS),
    ("cca-itq:bits=64", Message("Codes by CCA + ITQ"), _BITS),
    ("ksh:bits=64", Message("Codes by KSH"), _BITS),
)
"""What can be learned: the hash method, none for a metric, its name, and what it does."""


class LearnHead(QWidget):
    """Head of the Learn view: three lines and at most three buttons, always at the same places."""

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setFixedHeight(HEIGHT)
        self._title, self._detail, self._advice = ElidedLine("title"), ElidedLine("quiet"), ElidedLine("quiet")
        self._bar = ThinBar()
        self._can_go_back = False
        self._keep = command_button(_("Keep  K"), learn_actions()["keep"], "primary")
        self._not_now = command_button(_("Not now  N"), learn_actions()["leave"])
        self._what = QComboBox()
        self._what.setAccessibleName(_("What is learned"))
        for place, (__, name, tip) in enumerate(_LEARNED):
            self._what.addItem(text(name))
            self._what.setItemData(place, text(tip), Qt.ItemDataRole.ToolTipRole)
        self._what.currentIndexChanged.connect(lambda place: self._what.setToolTip(text(_LEARNED[place][2])))
        self._what.setToolTip(text(_LEARNED[0][2]))
        self._learn = command_button(_("Learn  L"), learn_actions()["learn"], "primary")
        self._cancel = command_button(_("Cancel  Esc"), learn_actions()["cancel"])
        self._back = command_button(_("Go back  B"), learn_actions()["go back"])
        self._numbers_shown = button(_("Numbers"), _("Show how the test went in numbers, or hide it"))
        self._numbers_shown.setCheckable(True)
        self._numbers_shown.toggled.connect(self._detail.setVisible)
        self._marks = command_button(_("Marks  M"), learn_actions()["column"])
        self._marks.setCheckable(True)
        words = column_of(STRETCH, self._title, self._detail, self._advice, STRETCH, gap=1)
        whole = column_of(on=self, gap=0, margins=0)
        row = row_of(
            (words, 1),
            8,
            self._numbers_shown,
            self._back,
            self._keep,
            self._not_now,
            self._what,
            self._learn,
            self._cancel,
            self._marks,
            gap=8,
            margins=(24, _BAR_PX, 24, 0),
        )
        whole.addLayout(row, 1)
        whole.addWidget(self._bar)
        self._marks.hide()
        self._offer()

    # --- what it says ------------------------------------------------------------------------------------------------

    def show_ready(self, marks: MarksResult) -> None:
        """Show how many marks there are to learn from."""
        note = ""
        if marks.total == 0:
            title = _("Nothing is marked yet")
            detail = _("Say below which photos are alike to you, or press S or D on results of a search.")
        else:
            title = _n("Learn from {count} mark", "Learn from {count} marks", marks.total)
            detail = " · ".join(self._kinds(marks))
        wanted = marks_wanted(marks.total)
        if marks.total and wanted:
            note = _n(
                "Not enough marks yet: about {count} more would help.",
                "Not enough marks yet: about {count} more would help.",
                wanted,
            )
        self._say(title, detail, note)
        self._offer(self._learn, *([self._back] if self._can_go_back else []))
        self._learn.setEnabled(marks.total > 0)

    def show_back(self, can_go_back: bool) -> None:
        """Set whether the button to go back stands beside learning, from the next :meth:`show_ready` on."""
        self._can_go_back = can_go_back

    def method(self) -> str:
        """Return the hash method to learn by; empty for a metric."""
        return _LEARNED[self._what.currentIndex()][0]

    def choose_method(self, method: str) -> None:
        """Choose what is learned, by its hash method; empty for a metric."""
        self._what.setCurrentIndex([one for one, _name, _tip in _LEARNED].index(method))

    def show_learning(self, marks: int, share: float, doing: str = "", left: str = "") -> None:
        """Show the progress of learning, which can be cancelled."""
        title = _n("Learning from {count} mark…", "Learning from {count} marks…", marks)
        parts = [doing, _("{time_left} left", time_left=left) if left else ""]
        self._say(title, " · ".join(part for part in parts if part), _("You can go on marking meanwhile."))
        self._offer(self._cancel)
        self._bar.show_share(max(0.0, min(1.0, share)))

    def show_judgement(self, made: LearnResult) -> None:
        """Show the outcome of learning on held-out marks."""
        if not made.of:
            title = _("Not enough marks yet to judge by")
        elif made.sure:
            title = _n(
                "Tested on {count} of your marks: what is similar comes earlier.",
                "Tested on {count} of your marks: what is similar comes earlier.",
                made.of,
            )
        elif made.better > made.worse:
            title = _n(
                "Tested on {count} of your marks: perhaps a little better.",
                "Tested on {count} of your marks: perhaps a little better.",
                made.of,
            )
        else:
            title = _n(
                "Tested on {count} of your marks: no gain yet.",
                "Tested on {count} of your marks: no gain yet.",
                made.of,
            )
        self._say(title, " · ".join(self._numbers(made)), self._advice_on(made))
        self._numbers_shown.setVisible(True)
        self._detail.setVisible(self._numbers_shown.isChecked())
        if made.learned_by is not None:
            for one in (self._keep, self._not_now):
                one.setEnabled(True)
            self._offer(self._keep, self._not_now)
            set_role(self._keep, "primary" if made.sure else "")
            self._keep.setText(_("Keep  K") if made.sure else _("Keep anyway  K"))
        else:
            self._offer(self._learn)
            self._learn.setEnabled(True)

    def show_newer(self, newer: bool) -> None:
        """Offer to learn again if the marks have changed since."""
        if not self.can("keep"):
            return  # it is being kept
        self._offer(self._keep, self._not_now, *([self._learn] if newer else []))
        self._learn.setEnabled(True)
        set_role(self._learn, "" if newer else "primary")

    def show_keeping(self) -> None:
        """Show that the metric is being kept, without buttons."""
        self._advice.say(_("Keeping it…"))
        for one in (self._keep, self._not_now):
            one.setEnabled(False)

    def show_kept(self, name: str, is_ready: bool, can_go_back: bool = True) -> None:
        """Show that search uses a metric now, and whether it is as fast as before yet."""
        detail = (
            _("Its index is ready: search is as fast as before.")
            if is_ready
            else _("Until its index is ready every photo is measured: exact, and a little slower.")
        )
        self._say(_("Search ranks by “{name}” now", name=name), detail, _("You can go back at any time."))
        self._offer(self._learn, *([self._back] if can_go_back else []))
        self._learn.setEnabled(True)

    def show_failure(self, sentence: str, next_step: str) -> None:
        """Show why nothing was learned, and the remedy."""
        self._say(sentence, next_step, "", "error")
        self._offer(self._learn)
        self._learn.setEnabled(True)

    def show_fold(self, folded: bool, shown: bool) -> None:
        """Set whether the column of marks has no room of its own, and whether it is shown in place of the rest."""
        self._marks.setVisible(folded)
        self._marks.setChecked(shown)

    def words(self) -> tuple[str, str, str]:
        """Return the three whole lines."""
        return self._title.text(), self._detail.text(), self._advice.text()

    def offered(self) -> list[QPushButton]:
        """Return the visible buttons."""
        every = (self._back, self._keep, self._not_now, self._learn, self._cancel)
        return [one for one in every if not one.isHidden()]

    def can(self, what: str) -> bool:
        """Return whether an action (keep, not now, learn, cancel, go back) is possible now."""
        known = {
            "keep": self._keep,
            "not now": self._not_now,
            "learn": self._learn,
            "cancel": self._cancel,
            "back": self._back,
        }
        return not known[what].isHidden() and known[what].isEnabled()

    # --- parts -------------------------------------------------------------------------------------------------------

    def _say(self, title: str, detail: str, advice: str, role: str = "quiet") -> None:
        self._title.say(title)
        self._detail.say(detail)
        self._advice.say(advice)
        set_role(self._detail, role)
        self._numbers_shown.hide()
        self._detail.show()
        self._bar.show_share(-1)

    def _offer(self, *shown: QPushButton) -> None:
        held = next((one for one in self.offered() if one.hasFocus()), None)
        set_role(self._learn, "primary")
        for one in (self._back, self._keep, self._not_now, self._learn, self._cancel):
            one.setVisible(one in shown)
        self._what.setVisible(self._learn in shown)
        if held is not None and held not in shown and shown:
            shown[0].setFocus()  # the keys stay in the line

    def _kinds(self, marks: MarksResult) -> list[str]:
        parts = [
            _("{similar} similar", similar=marks.similar),
            _("{different} different", different=marks.different),
        ]
        if marks.contradicted:
            parts.append(_n("{count} pair marked both ways", "{count} pairs marked both ways", marks.contradicted))
        if marks.missing:
            parts.append(_n("{count} waits for a photo", "{count} wait for a photo", marks.missing))
        return parts

    def _advice_on(self, made: LearnResult) -> str:
        from twinlens.app.marks.marked_pairs import both_ways

        lacking = _n("About {count} more mark would help.", "About {count} more marks would help.", made.more)
        if not made.of:
            advice = lacking if made.more else _("A few more marks would help.")
        elif made.sure and self.method():
            advice = _("Better on unseen photos than as many bits without marks: keep them as an index.")
        elif made.sure:
            advice = _("Better on photos that it has not seen: keep it, and search ranks by it at once.")
        elif made.more:
            advice = _("Not enough marks yet: this may be chance.") + f" {lacking}"
        else:
            advice = _("This may be chance: it is not surely better than before.")
        both = both_ways(made.contradictions)  # the details say it
        return " ".join([advice, *[text(one) for one in made.left_out if one != both][:1]])

    def _numbers(self, made: LearnResult) -> list[str]:
        parts = [text(counted("Learned from {count} mark", "Learned from {count} marks", made.pairs))]
        if made.of:
            better = _("better on {better}, worse on {worse} of {of}", better=made.better, worse=made.worse, of=made.of)
            parts.append(better)
        parts += [text(one) for one in made.details]
        if made.earlier > _EARLIER and made.better > made.worse:
            parts.insert(2, _("What is similar comes {earlier:.2f} times as early", earlier=made.earlier))
        return parts


def section_heading(text: str) -> QLabel:
    """Make the heading of a part of the view."""
    made = label(text, "section")
    made.setAccessibleName(text)
    return made
