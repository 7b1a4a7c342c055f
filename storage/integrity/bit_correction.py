"""One flipped bit of a row is put back: its checksum says which one it was.

A flipped bit changes a CRC by a value that depends on nothing but its distance from the end, and all these values
differ. Damage of any other kind fits such a value by chance once in 4 billion / (bits of the row).
"""

from __future__ import annotations

from collections.abc import Sequence

from storage.integrity.checksums import Value, checksum

_POLYNOMIAL = 0xEDB88320
SHORT, LONG = 1 << 19, 1 << 25
"""Bits that are gone through, from the end: those of 64 KB in a tenth of a second, of 4 MB in some seconds."""

_INTEGER_BITS = 64


def corrected(values: Sequence[Value], stored: object, bits: int = SHORT) -> tuple[Value, ...] | None:
    """Return values of a damaged row as they were, if one bit of them or of the checksum has flipped; otherwise None.

    Parameters
    ----------
    values : sequence
        As they are now.
    stored : object
        The checksum in the row.
    bits : int
        How many of the last bits of the row are tried.

    Examples
    --------
    >>> corrected((7, "beoch", b"abc"), checksum(7, "bench", b"abc"))
    (7, 'bench', b'abc')
    >>> corrected((-121, "bench"), checksum(7, "bench"))
    (7, 'bench')
    >>> corrected((7, "tree", None), checksum(7, "bench", None)) is None
    True
    """
    if not isinstance(stored, int) or not 0 <= stored < 1 << 32:
        return None
    difference = stored ^ checksum(*values)
    if difference.bit_count() <= 1:
        return tuple(values)  # the checksum itself
    distance = _distance(difference, min(bits, _bits(values)))
    for place, value in enumerate(values):
        if isinstance(value, int):
            candidates: list[Value] = [value + sign * (1 << bit) for bit in range(_INTEGER_BITS) for sign in (1, -1)]
        elif isinstance(value, str | bytes) and distance is not None:
            after = _bits(values[place + 1 :])
            candidates = [] if distance < after else [*_flipped(value, distance - after)]
        else:
            continue
        for candidate in candidates:
            tried = (*values[:place], candidate, *values[place + 1 :])
            if checksum(*tried) == stored:
                return tried
    return None


def _bits(values: Sequence[Value]) -> int:
    """Count the bits over which the checksum of values goes."""
    count = 0
    for value in values:
        if isinstance(value, str | bytes):
            data = _bytes(value)
            count += len(data) + len(b"b%d:" % len(data))
        elif value is None:
            count += 1
        elif isinstance(value, float):
            count += 9
        elif isinstance(value, int):
            count += len(b"i%d:" % value)
    return 8 * count


def _distance(difference: int, bits: int) -> int | None:
    """Return how many bits before the end the bit lies that changes a checksum by a difference."""
    change = _POLYNOMIAL
    for distance in range(bits):
        if change == difference:
            return distance
        change = change >> 1 ^ (_POLYNOMIAL if change & 1 else 0)
    return None


def _flipped(value: str | bytes, distance: int) -> list[Value]:
    """Flip the bit so many bits before the end of a value, if it is as long."""
    data = bytearray(_bytes(value))
    if distance >= 8 * len(data):
        return []
    data[len(data) - 1 - distance // 8] ^= 0x80 >> distance % 8
    try:
        return [data.decode() if isinstance(value, str) else bytes(data)]
    except UnicodeDecodeError:
        return []


def _bytes(value: str | bytes) -> bytes:
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
