"""Why a file cannot be read as a picture, in plain words.

::

    TwinlensError
    └── UnreadableError        a picture that is damaged, too large or of a type or variety that is not read
        └── NotAPictureError   the bytes are of no picture at all

Decoders speak in a dozen exceptions and in the words of their authors; here these become one sentence for the list of
problems. The decoder's own words stay in ``__cause__``.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PIL import Image

from core.errors import TwinlensError
from core.message import Message

DECODER_ERRORS: tuple[type[Exception], ...] = (
    OSError,  # damaged or cut data, and Pillow's UnidentifiedImageError
    SyntaxError,  # a header that Pillow does not understand
    ValueError,  # a value that cannot be; UnicodeDecodeError too
    TypeError,
    AttributeError,
    LookupError,  # IndexError at the end of the data, KeyError for an unknown mode or tag
    ArithmeticError,  # OverflowError, ZeroDivisionError
    EOFError,
    AssertionError,
    RuntimeError,  # libheif, libavif and libjxl; NotImplementedError and RecursionError too
    MemoryError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
"""Everything that a decoder of Pillow or one of its plug-ins was seen to raise, or says it raises, on bad bytes."""

_MEMORY = ("out of memory", "insufficient memory", "not enough memory", "cannot allocate memory")

_MOST_WORDS = 200  # letters
COPY_AGAIN = Message("Copy it again from the camera or a backup; then rescan.")


class UnreadableError(TwinlensError):
    """A picture that cannot be read: the sentence is the reason."""


class NotAPictureError(UnreadableError):
    """The bytes are of no known type of picture: the sentence says what they are, where that is known."""


_REASONS: tuple[tuple[tuple[str, ...], Callable[[str], Message], Message], ...] = (
    (
        ("truncated", "end of file", "unexpected end", "not processed", "input/output error", "eof"),
        lambda kind: Message("The {kind} picture is cut short.", kind=kind),
        COPY_AGAIN,
    ),
    (
        ("cannot handle", "unsupported", "not supported", "unknown pixel", "unknown compression", "not yet",
         "unknown data organization", "not implemented", "unimplemented", "no codec", "unknown pcx", "unknown tga"),
        lambda kind: Message("The {kind} picture is of a variety that cannot be decoded.", kind=kind),
        Message("Save it again as an ordinary JPEG or PNG."),
    ),
)  # fmt: skip


def unreadable(kind: str, error: BaseException) -> UnreadableError:
    """Put what a decoder raised into plain words.

    Parameters
    ----------
    kind : str
        The format's name.
    error : BaseException
        What the decoder raised.

    Raises
    ------
    MemoryError
        If that is what the decoder lacks.

    Examples
    --------
    >>> print(unreadable("JPEG", OSError("image file is truncated (3 bytes not processed)")))
    The JPEG picture is cut short. Copy it again from the camera or a backup; then rescan.
    """
    words = str(error).lower()
    if isinstance(error, MemoryError) or any(sign in words for sign in _MEMORY):
        raise MemoryError from error
    if "memory" in words:  # as libheif says of limits of its own, and of what it cannot crop
        return UnreadableError(
            Message(
                "The decoder refuses the {kind} picture. It says: {words}.",
                kind=kind,
                words=" ".join(str(error).split())[:_MOST_WORDS],
            ),
            Message("Open it in another program and save it again as JPEG or PNG."),
        )
    if isinstance(error, EOFError) and not words:
        words = "eof"
    for signs, reason, next_step in _REASONS:
        if any(sign in words for sign in signs):
            return UnreadableError(reason(kind), next_step)
    return UnreadableError(Message("The {kind} picture is damaged.", kind=kind), COPY_AGAIN)


@contextmanager
def decoding(kind: str) -> Iterator[None]:
    """Turn whatever a decoder raises inside the block into an `UnreadableError`, or MemoryError for want of memory."""
    try:
        yield
    except (UnreadableError, MemoryError):
        raise
    except DECODER_ERRORS as error:
        raise unreadable(kind, error) from error
