"""Controller of the explanation panel and of enlarged matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QImage

from app.gui.frame.opened import OpenLibrary
from app.gui.look.images import image_of
from app.gui.process.jobs import Jobs
from app.gui.search.colour_examples import drawn_example
from app.gui.search.search_jobs import WindowSearch, name_and_thumbnail
from app.gui.search.view import SearchView
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.browsing import Photograph
    from app.search.explanation import Explanation
    from app.search.question import Example, Region


class ExplanationControl(QObject):
    """Fills the panel that explains a result."""

    def __init__(self, view: SearchView, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._view = view
        self._jobs = jobs
        self._explaining = self._jobs.latest()
        self._enlarging = self._jobs.latest()
        self._explained: tuple[int, Example] | None = None
        view.why.large_wanted.connect(self._on_large)

    def clear(self) -> None:
        """Explain nothing."""
        self._explained = None
        self._view.why.clear()

    def explain(self, asked: WindowSearch, photograph: Photograph, checks: bool) -> None:
        """Explain a result, with its match if it is checked."""
        opened = self._opened
        self._view.why.set_facts(photograph)

        def work(_: Progress) -> tuple[Explanation, bytes, bytes, Region | None]:
            from app.library.pictures import thumbnails
            from app.search.explanation import explain

            check = None if checks else False
            explanation = explain(opened.searcher, asked.question, asked.index, photograph.id, check)
            example = _example(asked, explanation)
            (jpeg,) = thumbnails(opened.library, [photograph.content_hash]).values() or (b"",)
            own = drawn_example(example)
            shown = name_and_thumbnail(opened, example.picture)[1] if own is None else own.jpeg
            return explanation, shown, jpeg, example.region

        def then(told: tuple[Explanation, bytes, bytes, Region | None]) -> None:
            self._explained = photograph.id, _example(asked, told[0])
            self._view.why.set_explanation(*told)

        self._explaining.begin(work).then(then)

    def _on_large(self) -> None:
        """Load both pictures of a match in place of their thumbnails."""
        opened, explained = self._opened, self._explained
        if explained is None:
            return
        photograph_id, example = explained

        def work(_: Progress) -> tuple[QImage, QImage]:
            from app.library.pictures import large_picture, picture_to_crop

            asked = image_of(picture_to_crop(opened.library, example.picture))
            return _part(asked, example.region), image_of(large_picture(opened.library, photograph_id))

        self._enlarging.begin(work).then(lambda both: self._view.show_large(*both))


def _example(asked: WindowSearch, explanation: Explanation) -> Example:
    """Return the example that a result is shown beside: the one that it matches, if any."""
    match = explanation.match
    return asked.question.examples[explanation.example if match is None else match.example]


def _part(image: QImage, region: Region | None) -> QImage:
    if region is None:
        return image
    left, top, right, bottom = region
    width, height = image.width(), image.height()
    box = QRectF(left * width, top * height, (right - left) * width, (bottom - top) * height)
    return image.copy(box.toAlignedRect())
