"""Messages: equal values, kept and sent whole, written in any language."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Remedy, TwinlensError
from core.message import NOTHING, Message, counted, from_data, from_json, joined, verbatim, write

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.dates()
    | st.datetimes()
    | st.builds(verbatim, st.text()),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)


class Swapped:
    """A language of its own words, with a comma in its numbers."""

    def find(self, template: str) -> str:
        return {"{n} of {kind}": "{kind}: {n}", "tulips": "TULPEN"}.get(template, template)

    def find_plural(self, one: str, many: str, count: int) -> str:
        return "EIN" if count == 1 else "{count} VIELE"

    def number(self, text: str) -> str:
        return text.translate(str.maketrans(",.", ".,"))

    def moment(self, value: date) -> str:
        return f"am {value.day}."


@given(st.dictionaries(st.sampled_from("abc"), VALUES))
def test_what_is_kept_is_read_again(values: dict[str, object]) -> None:
    message = Message("".join(f"{{{name}}}" for name in values) + "!", **values)
    assert from_json(message.to_json()) == message
    assert pickle.loads(pickle.dumps(message)) == message
    assert hash(message) == hash(from_data(message.as_data()))


def test_another_language() -> None:
    message = Message("{n} of {kind}", n=1234.5, kind=Message("tulips"))
    assert str(message) == "1,234.5 of tulips"
    assert write(message, Swapped()) == "TULPEN: 1.234,5"
    assert [write(counted("a", "b", n), Swapped()) for n in (1, 2000)] == ["EIN", "2.000 VIELE"]
    assert write(Message("{day}", day=date(2026, 3, 1)), Swapped()) == "am 1."


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (Message("{n}", n=np.int64(1322)), "1,322"),
        (Message("{n:d}", n=2026), "2026"),
        (Message("{n:.2f} {share:.0%}", n=1234.567, share=0.123), "1234.57 12 %"),
        (Message("{file}", file=Path("/a/b")), "/a/b"),
        (Message("{names}", names=["a", "b"]), "a, b"),
        (Message("{on}", on=True), "True"),
        (Message("{day}", day=datetime(2026, 3, 1, 7, 5, tzinfo=UTC)), "1 March 2026, 07:05"),
        (joined([Message("One."), NOTHING, Message("{n}.", n=2)]), "One. 2."),
        (joined([NOTHING]), ""),
        (verbatim("{kept} as it is"), "{kept} as it is"),
    ],
)
def test_english(message: Message, text: str) -> None:
    assert str(message) == text


@pytest.mark.parametrize(
    "text", ["An old sentence.", '{"template": 1', '{"template":{}}', '{"template": "{a}", "values": {}}', ""]
)
def test_text_that_is_no_message_is_shown_as_it_is(text: str) -> None:
    assert str(from_json(text)) == text


def test_an_error_has_a_message_and_a_next_step() -> None:
    error = TwinlensError(Message("{file} is gone.", file="a"), Remedy("rescan", {"folder": "b"}))
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.next_step) == (error.message, error.next_step)
    assert str(again) == "a is gone."
    assert str(TwinlensError(Message("Gone."), Message("Look for it."))) == "Gone. Look for it."
