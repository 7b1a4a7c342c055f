"""Addresses of libraries are read, and what databases write in different ways comes to the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from tests.storage.conftest import NewStore
from tests.storage.making import files, register
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.address import Address
from twinlens.storage.library.store import Store, Transaction

_KEEP = "INSERT INTO passed_over (volume_id, path, size, mtime_ns) VALUES (?, ?, ?, ?)"
_SIZES = "SELECT path, size FROM passed_over WHERE volume_id = ?"
_FORGET = "DELETE FROM passed_over WHERE path = ?"


def _kept(w: Transaction, count: int) -> list[tuple[int, bytes, int, int]]:
    volume_id = w.volumes.seen("disk", "Disk", b"/mnt")
    rows = [(volume_id, b"%05d\0" % i, i, -(2**40) - i) for i in range(count)]
    w.dialect.many(_KEEP, rows)
    return rows


@pytest.mark.parametrize("count", [0, 1, 500, 1201])
def test_many_rows_come_back_whole(tmp_path: Path, new_store: NewStore, count: int) -> None:
    """By a stream, by some values of a column, and when half of them are removed."""
    with new_store(tmp_path) as store, store.writing() as w:
        dialect = w.dialect
        rows = _kept(w, count)
        expected = [(path, size) for _, path, size, _ in rows]
        assert sorted(dialect.rows(_SIZES, (1,))) == expected
        some = [path for path, _ in expected[::2]] + [b"none"]
        assert sorted(dialect.rows_among(f"{_SIZES} AND path {{among}}", some, (1,))) == expected[::2]
        dialect.many(_FORGET, [(path,) for path in some])
        assert sorted(dialect.rows(_SIZES, (1,))) == expected[1::2]
        dialect.among("DELETE FROM passed_over WHERE path {among}", [path for path, _ in expected])
        assert list(dialect.rows(_SIZES, (1,))) == []


def test_of_rows_with_one_key_the_last_is_put_in(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        _kept(w, 2)
        rows = [(1, b"00000\0", 7, 7, None), (1, b"b", 8, 8, None), (1, b"b", 9, 9, None)]
        w.dialect.replace("passed_over", rows)
        assert sorted(w.dialect.rows(_SIZES, (1,))) == [(b"00000\0", 7), (b"00001\0", 1), (b"b", 9)]


def test_a_stream_that_is_left_half_read_holds_nothing_up(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            _kept(w, 5000)
            rows = w.dialect.rows(_SIZES, (1,))
            assert len([next(rows), next(rows)]) == 2
            assert w.passed_over.count() == 5000  # another statement meanwhile
            rows.close()  # type: ignore[attr-defined]
        with store.reading() as r:
            assert r.passed_over.count() == 5000


def test_ids_are_an_array(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        dialect = w.dialect
        assert dialect.ids("SELECT id FROM photograph").tolist() == []
        ids = register(w, files(0, 700))
        assert dialect.ids("SELECT id FROM photograph").tolist() == ids.tolist()
        assert dialect.ids("SELECT id FROM photograph WHERE size IN (?, ?)", (1003, 1001)).tolist() == [2, 4]
        rows = dialect.records_among("SELECT id, size FROM photograph WHERE id {among}", ids[::-1].tolist())
        assert sorted((row["id"], row["size"]) for row in rows) == [(i, 999 + i) for i in ids.tolist()]
        dialect.among("UPDATE photograph SET size = ? WHERE id {among}", ids[:600].tolist(), (5,))
        assert dialect.ids("SELECT id FROM photograph WHERE size = 5").tolist() == ids[:600].tolist()


def test_columns_are_joined_in_order(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        register(w, files(0, 12))
        dialect = w.dialect
        dialect.change("photograph", 3, {"camera": "Ré\0flex"})
        columns = (("id", ",", False), ("path", "//", True), ("camera", "\x1f", False), ("format", ",", False))
        joined = ", ".join(dialect.joined(column, separator, "id", binary) for column, separator, binary in columns)
        ((ids, paths, cameras, formats),) = dialect.rows(f"SELECT {joined} FROM photograph WHERE id > 2")
        assert ids == b"3,4,5,6,7,8,9,10,11,12"
        assert paths.split(b"//") == [file.path for file in files(2, 12)]
        assert (cameras, formats) == ("Réflex".encode(), None)


def test_large_values_fill_arrays(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        made: dict[str, Any] = {"a": np.arange(100_000), "b": np.eye(3, dtype=np.float32), "c": np.zeros(0)}
        w.models.put("key", "Kind", "text", {}, made)
        found = {name: np.zeros_like(one) for name, one in made.items()}
        found["c"] = np.zeros(1)
        targets = {i: [one] for i, one in enumerate(found.values(), 1)} | {9: [np.zeros(4)]}
        fits = dict(w.dialect.copied("array", ["data"], targets))
        assert fits == {1: True, 2: True, 3: False, 9: False}
        assert all(np.array_equal(found[name], made[name]) for name in "ab")


def test_a_replaced_row_has_the_new_values(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        _kept(w, 2)
        dialect = w.dialect
        dialect.replace("passed_over", [(1, b"00001\0", 7, 8, None)])
        row = {"volume_id": 1, "path": b"00001\0", "size": 9, "mtime_ns": 8}
        dialect.insert("passed_over", [row], "ON CONFLICT DO NOTHING")
        assert sorted(dialect.rows(_SIZES, (1,))) == [(b"00000\0", 0), (b"00001\0", 7)]


def _register_in_vain(store: Store) -> None:
    with store.writing() as w:
        register(w, files(0, 5))
        raise LookupError


def test_ids_that_are_never_given_twice(tmp_path: Path, new_store: NewStore) -> None:
    """Not after their rows are gone; again after what gave them was rolled back."""
    with new_store(tmp_path) as store:
        with pytest.raises(LookupError):
            _register_in_vain(store)
        with store.writing() as w:
            assert register(w, files(0, 3)).tolist() == [1, 2, 3]
            w.remove([3])
        with store.writing() as w:
            dialect = w.dialect
            assert [dialect.last_given(one) for one in ("photograph", "mark")] == [3, 0]
            assert dialect.give("photograph", 2) == 4
            dialect.set_given("photograph", 20)
            dialect.set_given("mark", 30)
            assert [dialect.last_given(one) for one in ("photograph", "mark")] == [20, 30]
            assert register(w, files(3, 4)).tolist() == [21]


def test_other_ids_follow_the_largest(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with pytest.raises(LookupError):
            _register_in_vain(store)
        with store.writing() as w:
            assert [w.volumes.seen(name, name, b"") for name in "abc"] == [1, 2, 3]
            w.dialect.execute("DELETE FROM volume WHERE id > 1")
            assert w.volumes.seen("d", "d", b"") == 2
            assert w.models.put("key", "Kind", "text", {}, {}) == 1
            assert w.dialect.column("SELECT id FROM model") == [1]


def test_text_has_no_nul_and_is_ordered_by_its_bytes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        names = ["b", "A", "é", "a\0", "Z", "_", "\U0001f600"]
        for name in names:
            w.settings.put(name, name)
        assert list(w.settings.all()) == sorted((name.replace("\0", "") for name in names), key=str.encode)


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
HOSTS = st.from_regex(r"[a-z][a-z0-9.-]{0,9}", fullmatch=True) | st.sampled_from(["[::1]", "one:5433,two:5434"])
FILES = ["library.twinlens", "/a/b c.twinlens", "~x", "a:b", os.fsdecode(b"\xff.t")]


FILES += ["C:/a.twinlens", "C:\\a.twinlens", "c:a.twinlens", "\\\\nas\\photos\\a.twinlens", "//nas/photos/a.twinlens"]


def quoted(text: str) -> str:
    return quote(text, safe="")


@pytest.mark.parametrize("text", FILES)
def test_a_path_is_a_file(text: str) -> None:
    address = Address.of(text)
    assert address.is_file
    assert address.path == Path(text)
    assert Address.of(Path(text)) == Address.of(address) == address
    address.shown.encode()


def test_a_path_object_is_never_a_server() -> None:
    assert Address.of(Path("postgresql://archive/photos")).is_file


@settings(max_examples=40)
@given(NAMES, NAMES, HOSTS, NAMES, st.sampled_from(["postgresql", "postgres"]))
def test_what_is_shown_names_the_same_database_without_its_password(
    user: str, password: str, host: str, name: str, scheme: str
) -> None:
    secret = quoted("#never shown" + password)
    text = f"{scheme}://{quoted(user)}:{secret}@{host}/{quoted(name)}?sslmode=require&password={secret}&sslpassword={secret}"
    address = Address.of(text)
    assert not address.is_file
    known = conninfo_to_dict(address.text)
    secrets = {key: known.pop(key) for key in ("password", "sslpassword")}
    assert set(secrets.values()) == {"#never shown" + password}
    assert conninfo_to_dict(address.shown) == known
    for words in (
        address.shown,
        str(address),
        repr(address),
        f"{address}",
        address.title,
        repr(address.without_password()),
    ):
        assert secret not in words
    assert Address.of(address.shown) == address.without_password()
    assert address.key == address.without_password().key


@pytest.mark.parametrize("sign", ["/", "?", "?a=", "@", "%", "%00", " ", "\n", "%4"])
def test_a_sign_in_a_password_that_splits_the_address_is_refused_without_a_word_of_it(sign: str) -> None:
    with pytest.raises(TwinlensError, match="not understood") as caught:
        Address.of(f"postgresql://anna:12{sign}xy@archive/photos")
    assert "xy" not in str(caught.value)
    assert "12" not in str(caught.value)


@pytest.mark.parametrize("sign", ["#", ":", "&", "=", "%40"])
def test_other_signs_of_a_password_are_hidden_with_it(sign: str) -> None:
    address = Address.of(f"postgresql://anna:12{sign}xy@archive/photos")
    assert conninfo_to_dict(address.text)["password"] == f"12{unquote(sign)}xy"
    assert address.shown == "postgresql://anna@archive/photos"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mysql://archive/photos", "mysql"),
        ("postgresql://archive", "names no database"),
        ("postgresql://anna:secret@archive/", "postgresql://anna@archive/"),
        ("postgresql://archive:port/photos", "not understood"),
    ],
)
def test_what_cannot_be_an_address_is_said(text: str, says: str) -> None:
    with pytest.raises(TwinlensError, match=says) as caught:
        Address.of(text)
    assert "secret" not in str(caught.value)
    assert "postgresql://archive/photos" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "title", "server"),
    [
        ("/a/photos.twinlens", "photos", ""),
        ("postgresql://archive/photos", "archive/photos", "archive"),
        ("postgresql://archive:5433/my%20photos", "archive:5433/my photos", "archive:5433"),
        ("postgresql:///photos?host=/run/postgresql", "photos", "/run/postgresql"),
        ("postgresql:///photos", "photos", ""),
        ("postgresql://?service=archive", "archive", ""),
    ],
)
def test_a_library_has_a_name(text: str, title: str, server: str) -> None:
    address = Address.of(text)
    assert (address.title, address.server) == (title, server)


def test_the_key_of_a_file_follows_links(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert Address.of(tmp_path / "link").key == Address.of(str(tmp_path / "file")).key


def test_only_a_file_has_a_path() -> None:
    with pytest.raises(LookupError):
        _ = Address.of("postgresql://archive/photos").path
