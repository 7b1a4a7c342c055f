"""Two to four photographs side by side over the whole window: ways to compare, the stage, and the facts of each.

Their pictures are decoded one after the other. Better facts are bold, worse ones orange.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget

from twinlens.app.duplicates.side_by_side import AlignedPhotograph
from twinlens.app.gui.actions.action import attach, show_action
from twinlens.app.gui.actions.picture_actions import side_by_side_actions
from twinlens.app.gui.look.buttons import RoundButton
from twinlens.app.gui.look.labels import RichLabel
from twinlens.app.gui.look.page_parts import STRETCH, OverWindow, column_of, label, row_of
from twinlens.app.gui.look.theme import DARK
from twinlens.app.gui.pictures.photograph import image_of, written_date
from twinlens.app.gui.process.jobs import Jobs, outlived
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.viewer.picture_stage import AlignedPicture, ComparisonMode, PictureStage, levels_of
from twinlens.app.language.texts import _, number, text
from twinlens.core.files.untrusted_input import plain, plain_name
from twinlens.core.message import size
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.duplicates.side_by_side import AlignedPhotograph


MOST_PHOTOGRAPHS = 4


class SideBySideControl(QObject):
    """Controller of the side-by-side view over the whole window.

    Parameters
    ----------
    over : QWidget
        The widget whose window it covers.
    """

    step = Signal(int)
    """The next (1) or previous (-1) group is wanted."""
    decided = Signal(int, str)
    """Id of a photograph of the group, and the action on it: keep, let go, refuse."""
    removal_wanted = Signal(list)
    """Ids of photographs that are to be moved to the trash."""

    def __init__(self, over: QWidget, opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(over)
        self._over, self._opened = over, opened
        self._asking, self._decoding = jobs.latest(), jobs.latest()
        self._returns: QWidget | None = None
        self.awaits_group = False
        """Whether the group that follows a refused one is to be shown as soon as it is known."""
        self.view = SideBySide(over)
        self.view.closed.connect(self.close)
        self.view.step.connect(self.step)
        self.view.decided.connect(self.decided)
        self.view.removal_wanted.connect(self.removal_wanted)
        self.view.hide()

    def is_open(self) -> bool:
        """Return whether photographs are shown."""
        return self.view.isVisible()

    def show(self, ids: Sequence[int], group: ShownGroup | None = None) -> None:
        """Show up to four photographs, perhaps of a group; the others are aligned with the first."""
        library, wanted = self._opened.library, list(dict.fromkeys(ids))[:MOST_PHOTOGRAPHS]
        self.awaits_group = False
        if not self.is_open():
            self._returns = self._over.window().focusWidget()
            self.view.cover()

        def work(__: Progress) -> tuple[list[AlignedPhotograph], list[bytes]]:
            from twinlens.app.duplicates.side_by_side import align_photographs
            from twinlens.app.library.browsing.photographs import photographs
            from twinlens.app.library.pictures import thumbnails

            shown = align_photographs(library, wanted)
            hashes = {one.id: one.content_hash for one in photographs(library, [one.id for one in shown])}
            jpegs = thumbnails(library, list(hashes.values()))
            return shown, [jpegs.get(hashes.get(one.id, b""), b"") for one in shown]

        self._asking.begin(work).then(lambda told: self._on_known(told, group))

    def await_group(self) -> None:
        """Show the group that takes the place of the shown one, which is refused."""
        self.awaits_group = True

    def _on_known(self, told: tuple[list[AlignedPhotograph], list[bytes]], group: ShownGroup | None) -> None:
        shown, jpegs = told
        self.view.show_photographs(shown)
        self.view.show_group(group)
        for place, jpeg in enumerate(jpegs):
            image = QImage()
            if jpeg and image.loadFromData(jpeg):
                self.view.set_levels(place, levels_of(image))
        self._decode([one.id for one in shown], 0)

    def _decode(self, ids: list[int], place: int) -> None:
        """Decode the pictures one after the other, the first one first."""
        if place >= len(ids):
            return
        library = self._opened.library

        def work(__: Progress) -> list[QImage]:
            from twinlens.app.library.pictures import large_picture

            return levels_of(image_of(large_picture(library, ids[place])))

        def then(levels: list[QImage]) -> None:
            self.view.set_levels(place, levels)
            self._decode(ids, place + 1)

        def failed(failure: Any) -> None:
            self.view.set_message(place, failure.words())
            self._decode(ids, place + 1)

        self._decoding.begin(work).then(then).failed(failed)

    def close(self) -> None:
        """Close the view."""
        self._decoding.cancel()
        self.awaits_group = False
        self.view.show_photographs([])
        self.view.show_group(None)
        self.view.uncover()
        if self._returns is not None and not outlived(self._returns):
            self._returns.setFocus()


_PAN = 96
_ZOOM = 1.25
_ARROWS = {Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
_MODES = {
    "beside": ComparisonMode.BESIDE,
    "flick": ComparisonMode.FLICK,
    "slider": ComparisonMode.SLIDER,
    "difference": ComparisonMode.DIFFERENCE,
}
"""The ways of comparing, by the names of their actions."""


@dataclass(frozen=True)
class ShownGroup:
    """The group of duplicates to which the photographs belong.

    Attributes
    ----------
    badges : mapping of int to str
        The fate of each photograph in one word, by id.
    kept : int
        Id of the kept photograph.
    where : str
        Position of the group among all.
    """

    badges: Mapping[int, str]
    kept: int
    where: str


class SideBySide(OverWindow):
    """Two to four photographs, in the dark colours whatever the theme.

    Signals
    -------
    closed
    step(int)
        The next (1) or previous (-1) group is wanted.
    decided(int, str)
        Id of a photograph of the group, and the action on it: keep, let go, refuse.
    removal_wanted(list of int)
        Photographs of no group that are to be moved to the trash.
    """

    removal_wanted = Signal(list)
    closed = Signal()
    decided = Signal(int, str)
    step = Signal(int)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setProperty("role", "dark")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(_("Side by side"))
        self._shown: list[AlignedPhotograph] = []
        self._said: list[RichLabel] = []
        self._group: ShownGroup | None = None
        self._current = 0  # place of the photograph on which keys act
        self.stage = PictureStage()
        self._modes = {mode: self._button(name) for name, mode in _MODES.items()}
        for mode, made in self._modes.items():
            made.clicked.connect(lambda __=False, mode=mode: self.set_mode(mode))
        self._align = self._button("align")
        self._align.setChecked(True)
        self._align.clicked.connect(self._on_align)
        close = RoundButton("close", self)
        show_action(close, side_by_side_actions()["close"])
        close.clicked.connect(self.closed)
        self._level = label("", "on dark")
        head = row_of(
            *self._modes.values(), 16, self._align, 16, self._level, STRETCH, close, gap=4, margins=(16, 8, 12, 8)
        )
        self._facts = row_of(gap=16, margins=(16, 10, 16, 10))
        self._keys = _label()
        self._keys.setContentsMargins(16, 0, 16, 10)
        column_of(head, (self.stage, 1), self._facts, self._keys, on=self, gap=0, margins=0)
        self.stage.moved.connect(self._tell)
        self._bind()

    def _button(self, name: str) -> QPushButton:
        action = side_by_side_actions()[name]
        made = QPushButton(action.words)
        made.setProperty("role", "on dark")
        made.setCheckable(True)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        show_action(made, action)
        return made

    def _bind(self) -> None:
        """Bind the actions; of several with one key, the first one that is enabled does it."""
        actions, stage = side_by_side_actions(), self.stage
        attach(
            self,
            actions,
            {
                "keep number": self._keep_number,
                "keep": lambda: self._decide("keep"),
                "let go": lambda: self._decide("let go"),
                "refuse": lambda: self._decide("refuse"),
                "next": lambda: self.step.emit(1),
                "previous": lambda: self.step.emit(-1),
            },
        )
        self._in_group = self.actions()
        self._alone = attach(self, actions, {"remove": self._remove})["remove"]
        attach(
            self,
            actions,
            {
                **{name: partial(self.set_mode, mode) for name, mode in _MODES.items() if name != "flick"},
                "flick": self._flick_or_show,
                "align": self._align.click,
                "larger": lambda: stage.zoom_to(stage.level() * _ZOOM),
                "smaller": lambda: stage.zoom_to(stage.level() / _ZOOM),
                "whole": stage.fit_or_whole,
                "full size": lambda: stage.zoom_to(1.0),
                "close": self.closed.emit,
            },
        )

    # --- content -----------------------------------------------------------------------------------------------------

    def show_photographs(self, shown: Sequence[AlignedPhotograph]) -> None:
        """Show photographs; :meth:`set_levels` adds their pictures."""
        self._shown = list(shown)
        self._current = min(1, max(0, len(self._shown) - 1))
        self.stage.show_pictures([AlignedPicture(one.places) for one in shown])
        for said in self._said:
            self._facts.removeWidget(said)
            said.deleteLater()
        self._said = []
        for one in shown:
            said = _label(plain(one.path))
            said.linkActivated.connect(self._on_badge)
            self._facts.addWidget(said, 1, Qt.AlignmentFlag.AlignTop)
            self._said.append(said)
        self.show_group(self._group)
        self._align.setEnabled(any(one.places is not None for one in shown[1:]))
        self.set_mode(self.stage.mode)

    def show_group(self, group: ShownGroup | None) -> None:
        """Show the fate of each photograph of a group of duplicates."""
        self._group = group
        for action in self._in_group:
            action.setEnabled(group is not None)
        self._alone.setEnabled(group is None)
        for place, (said, one) in enumerate(zip(self._said, self._shown, strict=True)):
            badge = "" if group is None else group.badges.get(one.id, "")
            kept = group is not None and one.id == group.kept
            said.setText(facts_text(one, badge, kept=kept, current=group is not None and place == self._current))
        keys = [
            ("F", _("flick")),
            ("S", _("slider")),
            ("D", _("difference")),
            ("B", _("beside each other")),
            ("0", _("fit or 100 %")),
        ]
        if group is not None:
            keys = [
                (f"1-{len(self._shown)}", _("keep")),
                (f"K X {_key('Tab')}", _("keep, remove, the other photo")),
                ("N", _("not duplicates")),
                (f"← {_('Enter')}", _("previous, next")),
                (_key("Ctrl+Z"), _("undo")),
                *keys,
            ]
        said_where = "" if group is None else f"{escape(group.where)} &nbsp; "
        self._keys.setText(said_where + keys_text([*keys, (_("Esc"), _("back"))]))

    def in_group(self) -> bool:
        """Return whether the photographs belong to a group of duplicates."""
        return self._group is not None

    def set_levels(self, place: int, levels: Sequence[QImage]) -> None:
        """Show the picture of a photograph, given in its sizes."""
        if place < len(self.stage.pictures):
            self.stage.pictures[place].set_levels(levels)
            if place == 0:
                self.stage.fit()
            self.stage.update()

    def set_message(self, place: int, sentence: str) -> None:
        """Show why a picture is missing."""
        if place < len(self._said):
            self._said[place].setText(f"{self._said[place].text()}<br><i>{escape(sentence)}</i>")

    def set_mode(self, mode: ComparisonMode) -> None:
        """Choose the way of comparing."""
        self.stage.mode = mode
        for own, made in self._modes.items():
            made.setChecked(own is mode)
        self.stage.fit()
        self._tell()

    def _tell(self) -> None:
        percent = f"{number(100 * self.stage.level(), '.0f')} %"
        seen = ""
        if self.stage.mode is ComparisonMode.FLICK and self._shown:
            seen = plain_name(self._shown[min(self.stage.front, len(self._shown) - 1)].path)
        elif self.stage.mode is ComparisonMode.DIFFERENCE:
            seen = _("black: no difference")
        self._level.setText(f"{percent}   {seen}".strip())
        self.setAccessibleDescription(f"{self._modes[self.stage.mode].text()}. {self._level.text()}")

    def _on_badge(self, link: str) -> None:
        """Remove the photograph whose badge was clicked, or keep it."""
        self.decided.emit(int(link), "let go")

    def _acted_on(self) -> int:
        """Return the id of the photograph on which keys act: the visible one where only one is, else the marked one."""
        flicking = self.stage.mode is ComparisonMode.FLICK
        return self._shown[min(self.stage.front if flicking else self._current, len(self._shown) - 1)].id

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 (Qt's name)
        """Mark the next photograph of the group by Tab."""
        if self._group is None or not self._shown:
            return super().focusNextPrevChild(forward)
        self._current = (self._current + (1 if forward else -1)) % len(self._shown)
        self.show_group(self._group)
        return True

    def _keep_number(self, number: int) -> None:
        if number <= len(self._shown):
            self.decided.emit(self._shown[number - 1].id, "keep")

    def _decide(self, action: str) -> None:
        if self._shown:
            self.decided.emit(self._acted_on(), action)

    def _on_align(self) -> None:
        self.stage.aligned = self._align.isChecked()
        self.stage.update()

    # --- keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the pictures or the slider by arrows, unless they lead to another group; else do the action."""
        way, stage = _ARROWS.get(Qt.Key(event.key())), self.stage
        slides = stage.mode is ComparisonMode.SLIDER
        if way is None or (way[0] and self._group is not None and not slides and stage.fits()):
            super().keyPressEvent(event)
        elif slides and way[0]:
            stage.slide(-0.02 * way[0])
        else:
            stage.pan(*(_PAN * one for one in way))

    def _remove(self) -> None:
        """Remove the photograph in front while they are flicked through, else those beside the first."""
        ids = [one.id for one in self._shown]
        self.removal_wanted.emit(ids[self.stage.front :][:1] if self.stage.mode is ComparisonMode.FLICK else ids[1:])

    def _flick_or_show(self) -> None:
        if self.stage.mode is ComparisonMode.FLICK:
            self.flick()
        else:
            self.set_mode(ComparisonMode.FLICK)

    def flick(self) -> None:
        """Show the next picture at the same place."""
        self.stage.front = (self.stage.front + 1) % max(1, len(self.stage.pictures))
        self.stage.update()
        self._tell()


def _label(tip: str = "") -> RichLabel:
    made = RichLabel()
    made.setProperty("role", "on dark")
    made.setWordWrap(True)
    made.setToolTip(tip)
    return made


def _key(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


_WARNS = frozenset({"pixels", "taken", "camera"})
"""Facts that speak against a photograph where another is better; fewer bytes do not."""


def facts_text(one: AlignedPhotograph, badge: str = "", kept: bool = False, current: bool = False) -> str:
    """Return the facts of a photograph as rich text.

    Parameters
    ----------
    badge : str
        Its fate in a group of duplicates.
    kept : bool
        Whether it is the kept one.
    current : bool
        Whether keys act on it.
    """
    name = f'<b style="color: {DARK.ink}">{escape(plain_name(one.path))}</b>'
    if badge:
        ground = DARK.accent if kept else DARK.line
        colour = DARK.ground if kept else DARK.ink
        name += f' &nbsp;<a href="{one.id}" style="background: {ground}; color: {colour}; text-decoration: none">'
        name += f"&nbsp;{escape(badge)}&nbsp;</a>"
    if current:
        name = f'<span style="color: {DARK.accent}">▸</span> {name}'
    form = one.format if one.quality is None else _("JPEG, quality {quality}", quality=one.quality)
    pixels = _fact(one, "pixels", f"{number(one.width)} × {number(one.height)}")
    saved = [_fact(one, "bytes", text(size(one.bytes))), _fact(one, "quality", form)]
    taken = _fact(one, "taken", written_date(one.taken) or _("no date"))
    camera = _fact(one, "camera", plain(one.camera or _("no camera")))
    differs = ", ".join(text(each) for each in one.differs)
    lines = [name, " · ".join([pixels, *saved]), f"{taken} · {camera}", escape(plain(one.path.rpartition("/")[0]))]
    return "<br>".join([*lines, *([_coloured(differs, DARK.warn)] if differs else [])])


def _fact(one: AlignedPhotograph, name: str, words: str) -> str:
    if name in one.better:
        return f'<b style="color: {DARK.ink}">{escape(words)}</b>'
    return _coloured(words, DARK.warn) if name in one.worse and name in _WARNS else escape(words)


def _coloured(words: str, colour: str) -> str:
    return f'<span style="color: {colour}">{escape(words)}</span>'


def keys_text(keys: Sequence[tuple[str, str]]) -> str:
    """Return keys with their effects as rich text."""
    return " &nbsp; ".join(
        f'<b style="color: {DARK.ink}">{escape(key)}</b>&nbsp;{_joined(words)}' for key, words in keys
    )


def _joined(words: str) -> str:
    return escape(words).replace(" ", "&nbsp;")
