"""What decoders raise becomes a sentence and a next step."""

from __future__ import annotations

import pytest

from core.errors import TwinlensError
from features.reading.reading_limits import DECODER_ERRORS, NotAPictureError, UnreadableError, decoding, unreadable


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError("image file is truncated (4 bytes not processed)"), "cut short"),
        (EOFError(), "cut short"),
        (OSError("broken data stream when reading image file"), "damaged"),
        (SyntaxError("cannot handle 12-bit layers"), "variety that cannot be decoded"),
        (NotImplementedError("no codec available"), "variety that cannot be decoded"),
        (KeyError("RGB;99"), "damaged"),
        (ZeroDivisionError(), "damaged"),
    ],
)
def test_reasons(error: Exception, words: str) -> None:
    with pytest.raises(UnreadableError) as caught, decoding("PNG"):
        raise error
    assert words in str(caught.value.message)
    assert "PNG" in str(caught.value.message)
    assert caught.value.__cause__ is error
    assert str(unreadable("PNG", error)) == str(caught.value)


@pytest.mark.parametrize("error", [MemoryError(), OSError("insufficient memory"), RuntimeError("Out of memory")])
def test_want_of_memory_is_told_apart_however_a_decoder_says_it(error: Exception) -> None:
    with pytest.raises(MemoryError), decoding("PNG"):
        raise error


def test_a_decoder_that_names_memory_is_quoted_where_that_is_not_what_it_lacks() -> None:
    error = RuntimeError("Memory allocation error: Security limit exceeded: a box too many")
    words = "refuses the HEIC picture. It says: Memory allocation error: Security limit exceeded"
    with pytest.raises(UnreadableError, match=words), decoding("HEIC"):
        raise error


def test_reasons_that_are_one_already_are_kept() -> None:
    reason = UnreadableError("It is too large.", "Make it smaller.")
    with pytest.raises(UnreadableError) as caught, decoding("PNG"):
        raise reason
    assert caught.value is reason


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, NameError])
def test_what_no_decoder_raises_is_not_caught(error: type[BaseException]) -> None:
    assert not issubclass(error, DECODER_ERRORS)
    with pytest.raises(error), decoding("PNG"):
        raise error


def test_the_tree_of_errors() -> None:
    assert issubclass(NotAPictureError, UnreadableError)
    assert issubclass(UnreadableError, TwinlensError)
