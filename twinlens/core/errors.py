"""The errors that the user or the machine can mend.

::

    Exception
    ├── TwinlensError          a message and a next step; exit code 2
    │   └── DeclarationError   a declaration that cannot be: unknown name, value out of its limits
    ├── Cancelled              the user stopped a long job; exit code 130
    └── InvalidError           a ValueError whose reason is a message; its caller makes a TwinlensError of it

Anything else that is raised is a fault of the program.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from twinlens.core.message import NOTHING, Message, filled, joined


@dataclass(frozen=True)
class Remedy:
    """Something that the program can do about an error, by name.

    The command line prints the command that does it (:mod:`twinlens.app.cli.terminal_text`), the window shows a button
    (:mod:`twinlens.app.gui.frame.failures`).

    Parameters
    ----------
    name : str
        Such as "rescan" or "choose index".
    values : dict of str to str
        What it is done to, such as the name of an index.
    """

    name: str
    values: dict[str, str] = field(default_factory=dict, hash=False)


class TwinlensError(Exception):
    """An error that the user or the machine can mend, with a next step.

    Parameters
    ----------
    message : str or Message
        What happened and why: a template as a literal, or a message.
    next_step : str, Message or Remedy
        What the person can do about it, or what the program can; may be `NOTHING`.
    **values : Value
        What the templates name.

    Examples
    --------
    >>> print(TwinlensError("The folder {folder} does not exist.", "Check its name.", folder="/photos"))
    The folder /photos does not exist. Check its name.
    """

    def __init__(self, message: str | Message, next_step: str | Message | Remedy = NOTHING, /, **values: Any) -> None:
        self.message = filled(message, values)
        self.next_step = next_step if isinstance(next_step, Remedy) else filled(next_step, values)
        super().__init__(self.message, self.next_step)

    @property
    def advice(self) -> Message:
        """The next step where it is advice; the caller that offers a remedy describes it."""
        return self.next_step if isinstance(self.next_step, Message) else NOTHING

    @property
    def whole(self) -> Message:
        """The message and the advice."""
        return joined([self.message, self.advice])

    def __str__(self) -> str:
        return str(self.whole)


class DeclarationError(TwinlensError):
    """A declaration that cannot be: an unknown name, or a value outside its limits."""


class InvalidError(ValueError):
    """A value from outside that cannot be used.

    Parameters
    ----------
    message : str or Message
        The reason, to stand behind a colon: no capital letter, no full stop.
    **values : Value
        What a template names.
    """

    def __init__(self, message: str | Message, /, **values: Any) -> None:
        self.message = filled(message, values)
        super().__init__(self.message)


def did_you_mean(word: str, known: Collection[str], alike: float = 0.6) -> Message:
    """Return the known word that is most like an unknown one, as advice; nothing where none is.

    Parameters
    ----------
    alike : float
        How much they must share, of 1.

    Examples
    --------
    >>> print(did_you_mean("serch", ["search", "status"]))
    Did you mean “search”?
    """
    import difflib  # here, since only what was misspelt needs it

    nearest = difflib.get_close_matches(word, known, n=1, cutoff=alike)
    return Message("Did you mean “{name}”?", name=nearest[0]) if nearest else NOTHING


_OF_THE_SYSTEM = {
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOENT,
    errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.ESTALE,
    errno.ENOTCONN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EBUSY, errno.ETXTBSY, errno.ETIMEDOUT,
    errno.ENOTEMPTY, errno.EXDEV, errno.EMLINK,
}  # fmt: skip


def refused_by_system(error: OSError) -> TwinlensError | None:
    """Return the error of a file or means that the system refused; None for any other.

    Whoever knows what the file is for says more: this is for what comes from anywhere, such as a disk that is pulled.

    Examples
    --------
    >>> print(refused_by_system(OSError(errno.EROFS, "Read-only file system", "/mnt/a")))
    /mnt/a: Read-only file system. See whether its disk is connected and has space, and whether you may write there.
    >>> refused_by_system(OSError(errno.EINVAL, "Invalid argument"))
    """
    if error.errno not in _OF_THE_SYSTEM:
        return None
    why = error.strerror or str(error)
    if error.filename is None:
        return TwinlensError(
            "The system refuses what Twinlens needs: {why}.",
            "See whether there is space for temporary files and memory for one more program.",
            why=why,
        )
    name = error.filename if isinstance(error.filename, str) else os.fsdecode(error.filename)
    return TwinlensError(
        "{file}: {why}.",
        "See whether its disk is connected and has space, and whether you may write there.",
        file=name,
        why=why,
    )


class Cancelled(Exception):  # noqa: N818 (it is an event, not a fault)
    """The user stopped a long job; what was done until then is kept."""
