"""How large a picture may be once it is decoded: checked from its header, before anything is allocated."""

from __future__ import annotations

from dataclasses import dataclass

from features.unreadable import UnreadableError

_MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """The largest picture that is read.

    The limit is on what the decoder will hold in memory, not on the picture's pixels: a JPEG of 200 megapixels is read,
    because it is decoded at a fraction of its size, where a PNG of that size is not.

    Parameters
    ----------
    decoded_bytes : int
        Bytes of the decoded picture, with the copy that its conversion to 8 bits needs. Turning it upright may take as
        much again for a moment.
    side : int
        Pixels of the longer side.
    """

    decoded_bytes: int = 512 * _MEGABYTE
    side: int = 100_000

    def check(self, kind: str, width: int, height: int, decoded_bytes: int) -> None:
        """Refuse a picture that is too large.

        Parameters
        ----------
        kind : str
            The format's name, for the message.
        width, height : int
            Pixels that the header claims.
        decoded_bytes : int
            Bytes that decoding it will take.

        Raises
        ------
        UnreadableError
            Saying the size and the limit.
        """
        size = f"The {kind} picture says it is {width:,} x {height:,} pixels"
        next_step = "If that is its true size, make a smaller copy of it; if not, the file is damaged."
        if max(width, height) > self.side:
            raise UnreadableError(f"{size}; the limit is {self.side:,} pixels on a side.", next_step)
        if decoded_bytes > self.decoded_bytes:
            need, limit = (-(-count // _MEGABYTE) for count in (decoded_bytes, self.decoded_bytes))
            raise UnreadableError(f"{size} and would take {need:,} MB of memory; the limit is {limit:,} MB.", next_step)
