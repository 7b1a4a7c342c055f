"""Names from outside in one line: of files, folders and cameras, which may hold any character."""

from __future__ import annotations

_TURNS = (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
"""Signs that turn the direction of writing, and the ends of lines and paragraphs beside them."""

_SEEN = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    0x7F: "␡",
    **dict.fromkeys((*range(0x80, 0xA0), *_TURNS), "�"),
}


def one_line(text: str) -> str:
    r"""Return a name with a visible sign for each character that would break the line or turn the words beside it.

    Examples
    --------
    >>> one_line("a\nb"), one_line("photo\u202egpj.exe")
    ('a␊b', 'photo�gpj.exe')
    """
    return text.translate(_SEEN)
