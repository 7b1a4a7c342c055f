"""Tables of R: factors, numbers, stretches; what is no such file is a sentence."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

from core.errors import TwinlensError
from science.papers.r_data import Factor, read_r_data


def characters(text: str) -> bytes:
    return struct.pack(">ii", 9, len(text)) + text.encode()


def strings(*texts: str) -> bytes:
    return struct.pack(">ii", 16, len(texts)) + b"".join(map(characters, texts))


def symbol(text: str) -> bytes:
    return struct.pack(">i", 1) + characters(text)


def pair(name: bytes, item: bytes) -> bytes:
    return struct.pack(">i", 0x402) + name + item


END = struct.pack(">i", 254)


def file(version: int = 2, row_names: bytes = b"") -> bytes:
    """Write a table of a factor and of doubles, as R does."""
    levels = pair(symbol("levels"), strings("ei", "ie")) + pair(symbol("class"), strings("factor")) + END
    factor = struct.pack(">ii3i", 0x30D, 3, 2, 1, -(2**31)) + levels
    doubles = struct.pack(">ii3d", 14, 3, 0.5, 1, -2)
    names = pair(symbol("names"), strings("Class", "x")) + pair(struct.pack(">i", 0x2FF), strings("data.frame"))
    table = struct.pack(">ii", 0x313, 2) + factor + doubles + names + row_names + END
    head = f"RDX{version}\nX\n".encode() + struct.pack(">iii", version, 0x40000, 0x20300)
    encoding = struct.pack(">i", 5) + b"UTF-8" if version == 3 else b""
    return head + encoding + pair(symbol("Letters"), table) + END


@pytest.mark.parametrize("version", [2, 3])
def test_a_table_is_read(version: int) -> None:
    (table,) = read_r_data(gzip.compress(file(version))).values()
    assert list(table) == ["Class", "x"]
    classes = table["Class"]
    assert isinstance(classes, Factor)
    assert (classes.codes.tolist(), classes.levels) == ([2, 1, 0], ["ei", "ie"])
    assert np.array_equal(np.asarray(table["x"]), [0.5, 1, -2])


def test_a_stretch_of_row_names_is_read() -> None:
    about = pair(struct.pack(">i", 1) + characters("class"), symbol("compact_intseq")).replace(
        struct.pack(">i", 0x402), struct.pack(">i", 0x402), 1
    )
    stretch = struct.pack(">i", 238) + about + END + struct.pack(">ii3d", 14, 3, 3, 1, 1) + END
    assert "Letters" in read_r_data(file(3, pair(symbol("row.names"), stretch)))


@pytest.mark.parametrize(
    "content",
    [b"", b"RDX2\nX\n", file()[:-40], b"RDA2\nA\n2", gzip.compress(file())[:60]],
    ids=["empty", "another form", "cut off", "text", "packed and cut off"],
)
def test_what_is_no_such_file_is_a_sentence(content: bytes) -> None:
    with pytest.raises(TwinlensError, match="cannot be read"):
        read_r_data(content)
