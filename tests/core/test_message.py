"""Messages: equal values, kept and sent whole, written in any language."""

from __future__ import annotations

import json
import pickle
import re
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from twinlens.app.language.texts import TranslationCatalogue
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import (
    ENGLISH,
    MOST_WRITTEN,
    NOTHING,
    Message,
    counted,
    duration,
    from_data,
    from_json,
    joined,
    size,
    verbatim,
    write,
)

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
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.builds(
    "{{{}{}{}}}".format,
    st.sampled_from(["a", "b", "count", "a.real", "a[0]", "0", "", "a.__class__", "{a}"]),
    st.sampled_from(["", "!r", "!s"]),
    st.sampled_from(
        ["", ":d", ":,", ":.0%", ":+,.3f", ":>2000000000", ":{b}", ":1000000000", ":.1000000000f", ":c", ":n"]
    ),
)
TEMPLATES = st.lists(FIELDS | st.text(max_size=5), max_size=4).map("".join)


def crafted(values: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Return messages as somebody might have made them up: what `as_data` gives, and nearly that."""
    moments = st.fixed_dictionaries({"moment": st.text(max_size=12) | st.dates().map(str) | st.datetimes().map(str)})
    return st.fixed_dictionaries(
        {
            "template": TEMPLATES,
            "values": st.dictionaries(st.sampled_from(["a", "b", "count"]), values | moments | st.lists(values)),
        },
        optional={"plural": TEMPLATES},
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
    error = TwinlensError("{file} is gone.", Remedy("rescan", {"folder": "b"}), file="a")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.next_step) == (error.message, error.next_step)
    assert str(again) == "a is gone."
    assert str(TwinlensError("Gone.", "Look for it.")) == "Gone. Look for it."


@given(JSON | st.recursive(JSON, crafted, max_leaves=8))
def test_no_data_can_do_more_than_be_written(data: object) -> None:
    try:
        message = from_data(data)  # type: ignore[arg-type]
    except ValueError:
        pass
    else:
        for language in (ENGLISH, TranslationCatalogue("de"), Swapped()):
            assert len(write(message, language)) <= MOST_WRITTEN + 1
    text = json.dumps(data)
    assert len(str(from_json(text))) <= MOST_WRITTEN + 1


@given(TEMPLATES, st.dictionaries(st.sampled_from(["a", "b"]), st.sampled_from(["one", "two"])))
@example("{{a}}", {"a": "one"})
def test_a_text_has_the_words_of_its_template_and_its_values_alone(template: str, values: dict[str, str]) -> None:
    try:
        text = str(from_data({"template": template, "values": values}))
    except ValueError:
        return
    words = {"{{": "{", "}}": "}", **{f"{{{name}}}": value for name, value in values.items()}}
    assert text == re.sub(r"{{|}}|{\w}", lambda found: words.get(found[0], found[0]), template)


BOMB: dict[str, object] = {"template": "{a}" * 40, "values": {"a": "a lot of laughter "}}


for _ in range(10):
    BOMB = {"template": "{a}" * 40, "values": {"a": BOMB}}


SILENT: dict[str, object] = {"template": "{a}" * 40, "values": {"a": ""}}


for _ in range(10):
    SILENT = {"template": "{a}" * 40, "values": {"a": SILENT}}


DEEP: object = "a"


for _ in range(100):
    DEEP = {"template": "{a}", "values": {"a": [DEEP]}}


@pytest.mark.parametrize(
    "data",
    [
        {"template": "{a:>2000000000}", "values": {"a": 1}},
        {"template": "{a:.2000000000f}", "values": {"a": 1.5}},
        {"template": "{a:{b}}", "values": {"a": 1, "b": ">2000000000"}},
        {"template": "{m.as_data.__globals__[json].codecs}", "values": {"m": NOTHING.as_data()}},
        {"template": "{m!r}", "values": {"m": NOTHING.as_data()}},
        {"template": "{a}", "values": {"a": 10**100_000}},
        {"template": "{a:.0f}", "values": {"a": 10**400}},
        {"template": "{a}", "plural": "{b}", "values": {"a": 1, "count": 1}},
        {"template": "{a}", "plural": "{a}", "values": {"a": 1, "count": "1"}},
        {"template": "{a}", "plural": "{a}", "values": {"a": 1, "count": True}},
        {"template": "{a}", "plural": "{a}", "values": {"a": 1}},
        {"template": "{a}", "values": {}},
        {"template": "{a:.0%}", "values": {"a": "much"}},
        {"template": "{a", "values": {"a": 1}},
        {"template": "{a}", "values": {"a": {"moment": "yesterday"}}},
        {"template": "a" * 1_000_000, "values": {}},
        {"template": "", "values": {f"a{n}": n for n in range(100_000)}},
        {"template": 1, "values": {}},
        [1],
        None,
        DEEP,
    ],
    ids=range(21),
)
def test_a_crafted_message_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_data(data)  # type: ignore[arg-type]


def test_a_text_of_many_texts_is_cut() -> None:
    assert len(str(from_data(BOMB))) == MOST_WRITTEN + 1
    assert str(from_data(SILENT)) == ""
    assert len(str(Message("{names}", names=["name"] * 100_000))) == MOST_WRITTEN + 1


@pytest.mark.parametrize(
    "text", ['{"template":' * 100_000, '{"template":' + "[" * 100_000, '{"template": 1' + "0" * 5_000]
)
def test_json_that_cannot_be_read_is_shown(text: str) -> None:
    assert str(from_json(text)).startswith('{"template":')


def test_a_message_that_looks_like_one_of_the_program_is_written_with_its_own_values() -> None:
    posing = from_data({"template": "{n} of {kind}", "values": {"n": 2, "kind": "a"}})
    assert write(posing, Swapped()) == "a: 2"
    posing = from_data({"template": "EIN", "plural": "a lot", "values": {"count": 2}})
    assert write(posing, Other()) == "a lot"


class Other(Swapped):
    """A language whose plurals name what only the program's own message has."""

    def find_plural(self, one: str, many: str, count: int) -> str:
        return "{count} von {total}"


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2_400_000, "2.4 MB"), (14e9, "14 GB"), (5e15, "5,000 TB")],
)
def test_a_size_has_the_largest_unit_that_fits(count: float, text: str) -> None:
    assert str(size(count)) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (7200, "2 hours")]
)
def test_a_duration_is_never_less_than_a_second(seconds: float, text: str) -> None:
    assert str(duration(seconds)) == text
