"""Requests: declarations of what a command or a page is asked to do.

A request is declared once: its options on the command line (:mod:`twinlens.app.cli.requests`) with their help and
limits, its JSON, its file and the message of a wrong value come from its fields. A field with :func:`parameter` is an
option; any other is set by the program alone.
"""

from __future__ import annotations

from typing import Self

from pydantic import ConfigDict

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import Remedy
from twinlens.core.message import Message


class Request(Declaration):
    """Base of all requests; ``key`` is the command that takes it. Text is not taken for numbers, nor numbers for text.

    Examples
    --------
    >>> from twinlens.core.declaration.declaration import parameter
    >>> class PictureRequest(Request):
    ...     key = "pictures"
    ...     count: int = parameter(20, ge=1, option="-k", help="Number of pictures.")
    ...     colour: str = parameter("", help="Only pictures of this colour.")
    >>> PictureRequest(count=3).overriding(PictureRequest(colour="red"))
    PictureRequest(count=3, colour='red')
    """

    model_config = ConfigDict(strict=True, arbitrary_types_allowed=True)

    @classmethod
    def advice(cls) -> Message | Remedy:
        """Return the next step where a value is wrong."""
        return Message("Correct the value.")

    def overriding(self, other: Self) -> Self:
        """Return the other request with the fields that were set in this one."""
        return other.changed(**{name: getattr(self, name) for name in self.model_fields_set})
