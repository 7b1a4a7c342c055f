"""Limits of memory and processor time for reading a picture, by its size, checked from its header.

A process that reads for others is ended by the system when the time is up (SIGPROF), also in the middle of native code
that no exception can leave; the waiting process knows it by the signal. The clock on the wall would also count the time
that other programs and slow disks take. Systems without such a timer have only that clock.

Why a file cannot be read is an error in plain words::

    TwinlensError
    └── UnreadableError        a picture that is damaged, too large or of a type or variety that is not read
        ├── UndecodableError   a decoder gave up: perhaps another one, or one that takes what is there, does not
        └── NotAPictureError   the bytes are of no picture at all

Decoders speak in a dozen exceptions and in the words of their authors; here these become one sentence for the list of
problems. The decoder's own words stay in ``__cause__``.
"""

from __future__ import annotations

import struct
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image

from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message, joined
from twinlens.core.systems import system

_MEGABYTE = 1 << 20
RESTING_BYTES = 128 * _MEGABYTE
"""Bytes of a process besides the picture that it reads: the program itself, and the description of a picture."""

_RAISE = Message("Allow more memory in the settings, or make a smaller copy of it.")


@dataclass(frozen=True)
class Limits:
    """The largest picture that is read.

    What counts is the memory that reading takes, not the picture's pixels: a JPEG of 200 megapixels is read, because
    it is decoded at a fraction of its size, where a WebP of that size may not be.

    Parameters
    ----------
    memory_bytes : int
        What the process that reads may hold in all.
    resting_bytes : int
        The part of it that is not for the picture.
    side : int
        Pixels of the longer side.
    """

    memory_bytes: int = 1536 * _MEGABYTE
    resting_bytes: int = RESTING_BYTES
    side: int = 100_000

    @property
    def picture_bytes(self) -> int:
        """Bytes that one picture may take: its file, its decoder, and the copies of its pixels."""
        return self.memory_bytes - self.resting_bytes

    def check(self, kind: str, width: int, height: int, picture_bytes: int) -> None:
        """Refuse a picture that is too large; from here on one that is not has the processor time of its size.

        Parameters
        ----------
        kind : str
            The format's name, for the message.
        width, height : int
            Pixels that the header claims.
        picture_bytes : int
            Memory that reading it will take at most.

        Raises
        ------
        UnreadableError
            Saying the size and the limit.
        """
        size = Message(
            "This {kind} picture claims to be {width} x {height} pixels.", kind=kind, width=width, height=height
        )
        if max(width, height) > self.side:
            raise UnreadableError(
                joined([size, Message("Twinlens allows {side} pixels on a side.", side=self.side)]),
                "If that is its true size, make a smaller copy of it; if not, the file is damaged.",
            )
        if picture_bytes > self.picture_bytes:
            raise UnreadableError(joined([size, self._against(picture_bytes)]), _RAISE)
        allow_picture(width, height)

    def check_file(self, file_bytes: int) -> None:
        """Refuse a file that cannot be held, before it is read.

        Raises
        ------
        UnreadableError
            Saying the size and the limit.
        """
        if file_bytes > self.picture_bytes:
            raise UnreadableError(self._against(file_bytes), _RAISE)

    def exceeded(self, kind: str = "") -> UnreadableError:
        """Return the problem of a picture that took more memory than its header told.

        Parameters
        ----------
        kind : str
            The format's name, where it is known.
        """
        picture = Message("This {kind} picture", kind=kind) if kind else Message("This picture")
        if system.memory_limit() is not None:  # its own; where it has none, memory has run out for all programs
            limit = memory(self.memory_bytes)
            return UnreadableError(
                "{picture} takes more than the {limit} of memory that Twinlens allows.",
                _RAISE,
                picture=picture,
                limit=limit,
            )
        return UnreadableError(
            "{picture} takes more memory than there is.",
            "Close other programs and rescan, or make a smaller copy of it.",
            picture=picture,
        )

    def _against(self, picture_bytes: int) -> Message:
        need, limit = memory(picture_bytes + self.resting_bytes), memory(self.memory_bytes)
        return Message("Reading it would take {need} of memory. Twinlens allows {limit}.", need=need, limit=limit)


def memory(count: int) -> str:
    """Write an amount of memory for people, rounded up.

    Examples
    --------
    >>> memory(400 << 20), memory(15_300 << 20)
    ('400 MB', '15 GB')
    """
    megabytes = -(-count // _MEGABYTE)
    return f"{megabytes:,} MB" if megabytes < 10_000 else f"{-(-megabytes // 1024):,} GB"


BASE_S = 6.0
"""For any file, also of one pixel."""

_PER_MEGAPIXEL_S = 0.04
_PER_MEGABYTE_S = 0.005  # to read a file and to hash it
_enforced = False
_began = 0.0
_of_file = 0.0


def enforce_processor_time() -> None:
    """Set this process to end when the time of a file is up; without this call no limit is enforced."""
    global _enforced  # noqa: PLW0603 (a process is one)
    _enforced = system.watch_processor_time()


def begin_file(file_bytes: int) -> None:
    """Allow a file the time that is needed until its header is known."""
    global _began, _of_file
    _began, _of_file = time.process_time(), BASE_S + _PER_MEGABYTE_S * file_bytes / 1e6
    _set(_of_file)


def allow_picture(width: int, height: int) -> None:
    """Allow the file that was begun the time of a picture of this size, what it took already included."""
    _set(_of_file + decoding_seconds(width, height) - (time.process_time() - _began))


def end_processor_time() -> None:
    """Lift the limit: the picture is decoded."""
    if _enforced:
        system.allow_processor_time(0)


def decoding_seconds(width: int, height: int) -> float:
    """Return the seconds of processor time for decoding so many pixels, besides `BASE_S`.

    Examples
    --------
    >>> decoding_seconds(10_000, 10_000)
    4.0
    """
    return _PER_MEGAPIXEL_S * width * height / 1e6


def _set(seconds: float) -> None:
    if _enforced:
        system.allow_processor_time(max(seconds, 1e-3))


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


class UndecodableError(UnreadableError):
    """A decoder gave up: the picture is damaged, cut short, or of a variety that this decoder does not know."""


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


def unreadable(kind: str, error: BaseException) -> UndecodableError:
    """Return an error of a decoder in plain words.

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
        return UndecodableError(
            "The decoder refuses the {kind} picture. It says: {words}.",
            "Open it in another program and save it again as JPEG or PNG.",
            kind=kind,
            words=" ".join(str(error).split())[:_MOST_WORDS],
        )
    if isinstance(error, EOFError) and not words:
        words = "eof"
    for signs, reason, next_step in _REASONS:
        if any(sign in words for sign in signs):
            return UndecodableError(reason(kind), next_step)
    return UndecodableError("The {kind} picture is damaged.", COPY_AGAIN, kind=kind)


@contextmanager
def decoding(kind: str) -> Iterator[None]:
    """Turn every error of a decoder inside the block into an `UnreadableError`, or MemoryError for want of memory."""
    try:
        yield
    except (UnreadableError, MemoryError):
        raise
    except DECODER_ERRORS as error:
        raise unreadable(kind, error) from error
