"""The page of the indexes: name, description, size and progress of each, and actions on the selected one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPushButton, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import index_actions, window_actions
from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import PageView, PromptBar, button, command_button, surface
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.services.work_queue import WorkQueue
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.indexes.index_results import IndexListResult, IndexStatus
from twinlens.app.language.texts import _, _n, text
from twinlens.core.message import size
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.indexes.index_results import IndexListResult, IndexSuggestion
    from twinlens.app.vocabulary.learned_vocabularies import VocabularyListResult


class IndexesPage(PageView):
    """The page that lists the indexes."""

    def __init__(self, window: Workspace) -> None:
        super().__init__("", scrolls=False)
        self._window, self._indexes = window, window.indexes
        self.set_title(_("Indexes"))
        self.setAccessibleName(_("Indexes"))
        self._progress: dict[str, tuple[float, str]] = {}
        self.list = CardList[ListedIndex](
            lambda one: one.status.name,
            lambda one: index_card(one, *self._progress.get(one.status.name, ())),
            CardLook(lines=4, little=False),
            renamable=lambda __: True,
        )
        self.list.setAccessibleName(_("Indexes"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.chosen_changed.connect(self._on_chosen_changed)
        self.list.renamed.connect(self._on_renamed)
        new = self.add_button(command_button(_("New index…"), index_actions()["new"], "primary"))
        new.clicked.connect(lambda: window.show_view("new index"))
        back = self.add_button(button(_("Back to the Lab"), _("Back to the Lab"), window_actions()["leave"].keys[0]))
        back.clicked.connect(self._leave)
        self.body.setSpacing(0)
        self.body.addWidget(self._tools())
        self.body.addWidget(self.list, 1)
        acts = {
            "new": new.click,
            "rename": self.list.rename,
            "delete": self._on_delete,
            "default": self._on_default,
            "copy": self._on_copy,
        }
        attach(self, index_actions(), acts)
        attach(self, window_actions(), {"leave": self._leave})
        self.setFocusProxy(self.list)
        self._indexes.listed.connect(self._show)
        window.shared.index_chosen.connect(lambda __: self._show(self._indexes.result))
        window.making.progressed.connect(self._on_progress)
        window.making.made.connect(lambda name: self.set_progress(name, None))
        self._show(self._indexes.result)
        self.refresh()

    def refresh(self) -> None:
        """List the indexes again."""
        self._indexes.refresh()

    def _leave(self) -> None:
        self._window.show_view("lab")

    def _show(self, result: IndexListResult | None) -> None:
        if result is not None:
            self.set_indexes(result, self._window.shared.index, self._indexes.words())

    def _on_progress(self, name: str, share: float, doing: str) -> None:
        if name not in self._indexes.names():
            self._indexes.refresh()
        self.set_progress(name, share, doing)

    def _tools(self) -> QWidget:
        tools = QWidget()
        surface(tools, "head")
        row = FlowLayout()
        tools.setLayout(row)
        row.setContentsMargins(24, 8, 24, 8)
        self._default = command_button(_("Make default"), index_actions()["default"])
        self._rename = command_button(_("Rename"), index_actions()["rename"])
        self._copy = command_button(_("Copy its text"), index_actions()["copy"])
        self._delete = command_button(_("Delete"), index_actions()["delete"])
        acts = (self._on_default, self.list.rename, self._on_copy, self._on_delete)
        for made, act in zip(self.tools(), acts, strict=True):
            made.clicked.connect(act)
            row.addWidget(made)
        return tools

    def tools(self) -> list[QPushButton]:
        """Return the buttons for the selected index: make default, rename, copy, delete."""
        return [self._default, self._rename, self._copy, self._delete]

    def set_indexes(self, result: IndexListResult, default: str, words: Mapping[str, str] | None = None) -> None:
        """Show the indexes.

        Parameters
        ----------
        default : str
            Name of the index that is searched where none is named.
        words : mapping of str to str, optional
            For each name, a description of the index in plain words ("shapes and places").
        """
        described = words or {}
        self.list.show_rows(
            [ListedIndex(one, described.get(one.name, ""), one.name == default) for one in result.indexes]
        )
        if not self.list.chosen():
            self.list.go_to(max(0, self.list.currentIndex().row()))
        self.set_line(_n("{count} index of the same photos", "{count} indexes of the same photos", len(result.indexes)))
        self._on_chosen_changed()

    def set_progress(self, name: str, share: float | None, text: str = "") -> None:
        """Show the progress of an index, 0 to 1; None if it is built."""
        if share is None:
            self._progress.pop(name, None)
        else:
            self._progress[name] = (share, text)
        self.list.show_rows(self.list.rows())

    def _on_chosen_changed(self) -> None:
        one = self.list.current()
        for made in self.tools():
            made.setEnabled(one is not None)
        self._default.setEnabled(one is not None and not one.default)
        self._delete.setEnabled(one is not None and not one.status.automatic)

    def _on_default(self) -> None:
        one = self.list.current()
        if one is not None and not one.default:
            self._window.views.get("search", SearchControl).use_index(one.status.name)

    def _on_renamed(self, old: str, new: str) -> None:
        self._indexes.rename(old, new)
        if old == self._window.shared.index:
            self._window.views.get("search", SearchControl).use_index(new)

    def _on_copy(self) -> None:
        one = self.list.current()
        if one is not None:
            QApplication.clipboard().setText(one.status.text)

    def _on_delete(self) -> None:
        one = self.list.current()
        if one is not None and not one.status.automatic:
            name, indexes = one.status.name, self._indexes
            indexes.put_away(name)
            words = _("“{name}” was deleted.", name=name)
            self._window.undoing.offer(words, lambda: indexes.bring_back(name), lambda: indexes.put_away(name))


@dataclass(frozen=True)
class ListedIndex:
    """An index of the list, with its description and role.

    Attributes
    ----------
    words : str
        Its description in plain words.
    default : bool
        Whether it is searched where none is named.
    """

    status: IndexStatus
    words: str
    default: bool


def index_card(index: ListedIndex, progress: float | None = None, doing: str = "") -> Card:
    """Return the card of an index, with the progress of its building if it is being built."""
    status = index.status
    signs = [_("searched by default")] * index.default + [_("maintained by Twinlens")] * status.automatic
    compares = _("Compares {words}.", words=index.words) if index.words else ""
    facts, sign = _facts(status), "  ·  ".join(signs)
    last = doing or text(status.note)
    return Card(
        title=CardLine(status.name, "ink", sign, "accent" if index.default else "quiet"),
        lines=(
            *([CardLine(compares, "ink")] if compares else ()),
            CardLine(facts),
            CardLine(status.text.replace(",", ", "), mono=True),  # a pasted text is parsed the same
            *([CardLine(last)] if last else ()),
        ),
        spoken=". ".join(filter(None, (status.name, sign, index.words, facts, last))),
        tip="\n".join(filter(None, (status.name, compares, facts, status.text, text(status.note)))),
        progress=progress,
    )


def _facts(index: IndexStatus) -> str:
    parts = [_n("{count} photo", "{count} photos", index.photographs)]
    if index.waiting:
        parts.append(_n("{count} waiting", "{count} waiting", index.waiting))
    if index.bits is None:
        parts.append(_("exact, without codes"))
    else:
        parts.append(_n("{count} bit each", "{count} bits each", index.bits))
        parts.append(
            _("not fitted yet: searches are exact")
            if index.fitted_on is None
            else _("fitted on {count}", count=index.fitted_on)
        )
    parts.append(text(size(index.bytes)))
    return "  ·  ".join(parts)


class IndexSuggestions(QObject):
    """Suggestions about indexes in a line above the views; a declined one is not repeated in this window."""

    def __init__(self, notice: PromptBar, queue: WorkQueue, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._notice = notice
        self._queue = queue
        self._jobs = jobs
        self._looking = self._jobs.latest()
        self._suggested: IndexSuggestion | None = None
        self._put_off: set[tuple[str, str]] = set()
        notice.agreed.connect(self._on_agreed)
        notice.declined.connect(self._on_declined)
        queue.changed.connect(self.look)
        self.look()

    def look(self) -> None:
        """Look for a suggestion, unless work is under way."""
        opened = self._opened
        if self._queue.busy() or self._notice.isVisible() or not opened.library.store.writable:
            return

        def work(__: Progress) -> IndexSuggestion | None:
            from twinlens.app.indexes.indexes import improvement_suggestion
            from twinlens.app.vocabulary.vocabularies import vocabulary_suggestion

            return improvement_suggestion(opened.library) or vocabulary_suggestion(opened.library)

        self._looking.begin(work).then(lambda found: self._on_found(opened, found))

    def _on_found(self, opened: OpenLibrary, found: IndexSuggestion | None) -> None:
        if found is None or opened is not self._opened or self._queue.busy():
            return
        if (found.step, found.name) in self._put_off:
            return
        self._suggested = found
        words = {"improve": _("Improve"), "learn": _("Learn"), "decide": _("Keep"), "finish": _("Go on")}
        self._notice.ask(text(found.sentence), words[found.step], _("Not now"), focus=False)

    def _on_declined(self) -> None:
        if self._suggested is not None:
            self._put_off.add((self._suggested.step, self._suggested.name))

    def _on_agreed(self) -> None:
        suggestion, opened = self._suggested, self._opened
        if suggestion is None:
            return
        if suggestion.step == "improve":

            def improve(progress: Progress) -> IndexListResult:
                from twinlens.app.indexes.indexes import improve_index

                return improve_index(opened.library, progress)

            self._queue.run(_("Improving the automatic index…"), improve).then(self._on_improved)
        elif suggestion.step == "learn":

            def learn(progress: Progress) -> VocabularyListResult:
                from twinlens.app.vocabulary.vocabularies import learn_vocabulary

                return learn_vocabulary(opened.library, progress=progress)

            self._queue.run(_("Learning a vocabulary…"), learn).then(self._on_done)
        else:

            def keep(progress: Progress) -> VocabularyListResult:
                from twinlens.app.vocabulary.vocabularies import keep_vocabulary

                return keep_vocabulary(opened.library, suggestion.name, progress)

            self._queue.run(_("Describing photos with the new vocabulary…"), keep).then(self._on_done)

    def _on_improved(self, __: IndexListResult) -> None:
        self._queue.tell(_("Searches now find photos of the same thing, too."))

    def _on_done(self, result: VocabularyListResult) -> None:
        newest = result.vocabularies[-1] if result.vocabularies else None
        if newest is not None and newest.quality is not None:
            self._queue.tell(text(newest.quality.sentence))
