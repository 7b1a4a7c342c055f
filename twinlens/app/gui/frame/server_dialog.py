"""The dialog for the address of a library on a server, which can try the connection first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QWidget

from twinlens.app.gui.actions.declared_actions import dialog_actions
from twinlens.app.gui.look.page_parts import button, column_of, command_button, dialog_keys, label, set_role
from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.language.texts import _, text
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.storage.database.address import EXAMPLE, Address

_WIDE_PX = 520


class ServerDialog(QDialog):
    """Dialog that asks for the library on a server to show.

    Parameters
    ----------
    known : sequence of str
        Addresses that were opened before, the newest first.
    jobs : Jobs
        An address is tried behind the window.
    """

    def __init__(self, known: Sequence[str], jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Open a library on a server"))
        self.setProperty("role", "sheet")
        self._trying = jobs.latest()
        self._address = QComboBox()
        self._address.setEditable(True)
        self._address.addItems(list(known))
        self._address.setCurrentIndex(0 if known else -1)
        self._address.setAccessibleName(_("Address"))
        self._address.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        line = self._address.lineEdit()
        assert line is not None
        line.setPlaceholderText(EXAMPLE)
        line.setAccessibleName(_("Address of the library"))
        self._outcome = label("", "quiet", wrap=True)
        self._outcome.setTextFormat(Qt.TextFormat.PlainText)
        self._outcome.setMinimumHeight(4 * self._outcome.fontMetrics().lineSpacing())  # nothing jumps below it
        self._outcome.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._try = button(_("Test"), _("Try whether the library can be opened"))
        self._try.clicked.connect(self._on_try)
        leave = command_button(_("Cancel"), dialog_actions()["close"])
        leave.clicked.connect(self.reject)
        self._open = button(_("Open"), _("Open the library in this window"), "Return", "primary")
        self._open.setDefault(True)
        self._open.clicked.connect(self._on_open)
        self._address.editTextChanged.connect(self._on_edited)
        self._lay_out(dialog_keys(leave, self._open, self._try))
        self._on_edited()
        self._address.setFocus()
        line.selectAll()

    def _lay_out(self, keys: QWidget) -> None:
        said = _("Several people can use a library in a PostgreSQL database at the same time.")
        secret = _(
            "The password comes from ~/.pgpass, a service file or PGPASSWORD. "
            "One that is written in the address is used now and kept nowhere."
        )
        column_of(
            label(self.windowTitle(), "title"),
            label(said, wrap=True),
            8,
            label(_("Address")),
            self._address,
            label(secret, "help", wrap=True),
            4,
            self._outcome,
            keys,
            on=self,
            gap=8,
            margins=(24, 20, 24, 20),
        )
        self.setMinimumWidth(_WIDE_PX)

    def address(self) -> Address:
        """Return the address in the field.

        Raises
        ------
        TwinlensError
            If it is no address of a server.
        """
        found = Address.of(self._address.currentText().strip())
        if found.is_file:
            raise TwinlensError("This is not the address of a server.", "Write one such as {example}.", example=EXAMPLE)
        return found

    def done(self, result: int) -> None:
        """Close the dialog, and drop a running try."""
        self._trying.drop()
        super().done(result)

    def _on_edited(self) -> None:
        self._trying.drop()  # the running try is of another address
        self._tell("")
        for one in (self._try, self._open):
            one.setEnabled(bool(self._address.currentText().strip()))

    def _written(self) -> Address | None:
        try:
            return self.address()
        except TwinlensError as error:
            self._tell(text(error), "error")
            return None

    def _on_open(self) -> None:
        if self._written() is not None:
            self.accept()

    def _on_try(self) -> None:
        address = self._written()
        if address is None:
            return

        def work(__: Progress) -> Message:
            from twinlens.app.library.library import describe_server

            return describe_server(address)

        self._tell(_("Connecting…"))
        self._trying.begin(work).then(self._on_outcome).failed(self._on_failed)

    def _on_outcome(self, found: Message) -> None:
        self._tell(text(found))

    def _on_failed(self, failure: Failure) -> None:
        self._tell(failure.words(), "error")

    def _tell(self, words: str, role: str = "quiet") -> None:
        set_role(self._outcome, role)
        self._outcome.setText(words)
