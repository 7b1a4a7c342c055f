"""The errors that the user or the machine can mend.

::

    Exception
    ├── TwinlensError          a sentence and a next step; exit code 2
    │   └── DeclarationError   a declaration that cannot be: unknown name, value out of its limits
    └── Cancelled              the user stopped a long job; exit code 130

Anything else that is raised is a fault of the program.
"""

from __future__ import annotations


class TwinlensError(Exception):
    """What went wrong, and what to do next, in words for a person.

    Parameters
    ----------
    sentence : str
        What happened and why, one sentence.
    next_step : str
        What the person can do about it; may be empty.

    Examples
    --------
    >>> error = TwinlensError("The folder /photos does not exist.", "Check the spelling.")
    >>> print(error)
    The folder /photos does not exist. Check the spelling.
    """

    def __init__(self, sentence: str, next_step: str = "") -> None:
        super().__init__(sentence, next_step)
        self.sentence = sentence
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.sentence} {self.next_step}".strip()


class DeclarationError(TwinlensError):
    """A declaration that cannot be: an unknown name, or a value outside its limits."""


class Cancelled(Exception):  # noqa: N818 (it is an event, not a fault)
    """The user stopped a long job; what was done until then is kept."""
