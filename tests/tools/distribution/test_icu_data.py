"""ICU's data keep their form when items are taken out, and the languages of Twinlens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.distribution.shared_libraries import is_kept, packed, unpacked

HEADER = b"\x20\x00" + bytes(30)
NAMES = st.from_regex(r"icudt73l/[a-z]+/[a-z]+\.res", fullmatch=True)
ITEMS = st.dictionaries(NAMES, st.binary(min_size=1), min_size=1)


@given(ITEMS)
def test_items_are_read_as_they_were_written(items: dict[str, bytes]) -> None:
    ordered = dict(sorted(items.items()))
    header, found = unpacked(packed(HEADER, ordered))
    assert header == HEADER
    assert list(found) == list(ordered)
    for name, content in ordered.items():
        assert found[name].startswith(content)
        assert found[name][len(content) :].strip(b"\0") == b""
        assert len(found[name]) - len(content) < 16


@given(ITEMS)
def test_every_item_begins_at_a_multiple_of_sixteen_bytes(items: dict[str, bytes]) -> None:
    data = packed(HEADER, items)
    count = int.from_bytes(data[32:36], "little")
    table = data[36 : 36 + 8 * count]
    assert all(int.from_bytes(table[at + 4 : at + 8], "little") % 16 == 0 for at in range(0, len(table), 8))


@pytest.mark.parametrize(
    ("item", "kept"),
    [
        ("root.res", True), ("en.res", True), ("de_DE.res", True), ("fr.res", False), ("en_001.res", False),
        ("supplementalData.res", True), ("lang/de.res", True), ("lang/sr_Latn.res", False), ("lang/pool.res", True),
        ("zone/tzdbNames.res", True), ("coll/sv.res", False), ("coll/root.res", True), ("coll/ucadata.icu", True),
        ("brkitr/res_index.res", True), ("brkitr/char.brk", True), ("brkitr/thaidict.dict", False),
        ("ibm-1047_P100-1995.cnv", False), ("translit/root.res", False), ("nfkc.nrm", True),
    ],
)  # fmt: skip
def test_what_is_kept(item: str, kept: bool) -> None:
    assert is_kept(item) == kept
