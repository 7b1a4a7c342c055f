"""The data of ICU that come with Qt, without the languages that Twinlens does not speak: a tenth of 32 MB.

What holds for all languages stays (how words are sorted and broken); the order of words, the names of countries and
currencies in seven hundred languages, and old ways to encode letters go. The format is that of ICU's user guide: a
header, a table of contents sorted by name, and the items, each at a multiple of 16 bytes.
"""

from __future__ import annotations

import ctypes
import re
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

_ALIGNMENT = 16
_SPOKEN = re.compile(r"(root|pool|res_index|en|de)(_[A-Z]{2})?$")
_A_LANGUAGE = re.compile(r"[a-z]{2,3}(_\w+)*$")
_DROPPED = re.compile(r"(translit|rbnf)/|.*\.(cnv|dict)$")
_BY_LANGUAGE = re.compile(r"((brkitr|coll|curr|lang|region|unit|zone)/)?([^/]+)\.res$")


def is_kept(item: str) -> bool:
    """Return whether an item belongs inside; its name is without that of the whole, such as lang/de.res."""
    if _DROPPED.match(item):
        return False
    found = _BY_LANGUAGE.match(item)
    return found is None or _SPOKEN.match(found[3]) is not None or _A_LANGUAGE.match(found[3]) is None


def thin_icu_data(library: Path) -> None:
    """Write the library of ICU's data anew, with what is kept."""
    header, items = unpacked(_data(library))
    kept = {name: content for name, content in items.items() if is_kept(name.partition("/")[2])}
    symbol = _symbol(library)
    with tempfile.TemporaryDirectory() as name:
        data, source, compiled = (Path(name, file) for file in ("icu.dat", "icu.s", "icu.o"))
        data.write_bytes(packed(header, kept))
        source.write_text(
            f".section .rodata\n.balign {_ALIGNMENT}\n.globl {symbol}\n.type {symbol}, %object\n"
            f'{symbol}: .incbin "{data}"\n.size {symbol}, . - {symbol}\n',
            "utf-8",
        )
        subprocess.run(["as", str(source), "-o", str(compiled)], check=True)
        library.unlink()
        link = ["ld", "-shared", "-z", "noexecstack", "--build-id=none", "-soname", library.name, "-o", str(library)]
        subprocess.run([*link, str(compiled)], check=True)


def unpacked(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Read the header and the items by their names."""
    (start,) = struct.unpack_from("<H", data)
    body = data[start:]
    (count,) = struct.unpack_from("<I", body)
    places = list(struct.iter_unpack("<II", body[4 : 4 + 8 * count]))
    ends = [place for _, place in places[1:]] + [len(body)]
    items = {
        body[name : body.index(b"\0", name)].decode("ascii"): body[place:end]
        for (name, place), end in zip(places, ends, strict=True)
    }
    return data[:start], items


def packed(header: bytes, items: Mapping[str, bytes]) -> bytes:
    """Write the header and items; the inverse of :func:`unpacked`, but for the bytes between items."""
    names = b"".join(name.encode("ascii") + b"\0" for name in items)
    at_name = 4 + 8 * len(items)
    at_item = at_name + len(names)
    table, contents = [struct.pack("<I", len(items))], [names]
    for name, content in items.items():
        padding = -at_item % _ALIGNMENT
        at_item += padding
        table.append(struct.pack("<II", at_name, at_item))
        contents += [bytes(padding), content]
        at_name += len(name) + 1
        at_item += len(content)
    return header + b"".join(table + contents)


def _data(library: Path) -> bytes:
    """Read the data as the program that loads the library sees them."""
    told = subprocess.run(["nm", "--dynamic", "--print-size", str(library)], capture_output=True, text=True, check=True)
    size = next(int(line.split()[1], 16) for line in told.stdout.splitlines() if line.endswith(_symbol(library)))
    first = ctypes.c_char.in_dll(ctypes.CDLL(str(library)), _symbol(library))
    return ctypes.string_at(ctypes.addressof(first), size)


def _symbol(library: Path) -> str:
    return f"icudt{library.name.rpartition('.')[2]}_dat"
