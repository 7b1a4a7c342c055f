"""Qt resource files: what is written is read, in all formats; what is damaged is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.demo import archives as qt
from app.demo.archives import QtResourceError, QtResources
from tests.app.demo.packages.made_up import rcc

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=8)
FOLDERS = st.dictionaries(NAMES, st.dictionaries(NAMES, st.binary(max_size=60), min_size=1, max_size=4), max_size=4)
FILES = {"a/deep/one": b"first", "a/two": b"", "three": b"third" * 50}


@given(folders=FOLDERS, version=st.sampled_from(qt.FORMATS), flags=st.sampled_from([0, qt.COMPRESSED]))
def test_every_file_is_read_as_it_was_written(folders: dict[str, dict[str, bytes]], version: int, flags: int) -> None:
    files = {f"x{folder}/{name}": content for folder, inside in folders.items() for name, content in inside.items()}
    resources = QtResources(rcc(files, version, flags))
    assert {path: resources.read(path) for path in resources} == files


@given(length=st.integers(0, len(rcc(FILES)) - 1))
def test_cut_file_is_refused_or_gives_what_is_left(length: int) -> None:
    try:
        resources = QtResources(rcc(FILES)[:length])
        read = {path: resources.read(path) for path in resources}
    except QtResourceError:
        return
    assert read.items() <= FILES.items()


@given(st.binary(max_size=300))
def test_noise_is_refused(noise: bytes) -> None:
    with pytest.raises(QtResourceError):
        QtResources(noise)


@given(share=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255), flags=st.sampled_from([0, qt.COMPRESSED]))
def test_changed_byte_ends_in_no_other_error(share: float, value: int, flags: int) -> None:
    changed = bytearray(rcc(FILES, flags=flags))
    changed[int(share * len(changed))] = value
    with suppress(QtResourceError):
        resources = QtResources(bytes(changed))
        assert all(isinstance(resources.read(path), bytes) for path in resources)


def test_unknown_format_is_refused() -> None:
    with pytest.raises(QtResourceError, match="known format"):
        QtResources(rcc(FILES, version=4))


def test_tree_that_leads_back_to_itself_is_refused() -> None:
    made = bytearray(rcc({"a/b": b"x"}))
    folder = qt.HEADER.size + qt.NODE.size + qt.FILE.size + 8  # the node of "a", behind the root's
    qt.CHILDREN.pack_into(made, folder + qt.NODE.size, 1, 0)
    with pytest.raises(QtResourceError, match="back to itself"):
        QtResources(bytes(made))


def test_zstandard_is_named() -> None:
    resources = QtResources(rcc(FILES, flags=qt.ZSTD))
    with pytest.raises(QtResourceError, match="Zstandard"):
        resources.read("a/two")


def test_expanded_size_is_held_to_what_it_says() -> None:
    made = bytearray(rcc({"zeros": bytes(10_000)}, flags=qt.COMPRESSED))
    _, _, _, data, _ = qt.HEADER.unpack_from(made)
    qt.SIZE.pack_into(made, data + qt.SIZE.size, 100)
    with pytest.raises(QtResourceError, match="zeros is damaged"):
        QtResources(bytes(made)).read("zeros")


def test_there_is_no_other_file() -> None:
    with pytest.raises(KeyError):
        QtResources(rcc(FILES)).read("a")
