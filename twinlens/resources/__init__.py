"""Files of the program that are not code, each read by its name.

``photographs.toml`` lists the demo photographs, the packages that hold them and their licences. ``icons`` are drawings
of one colour, whose ``currentColor`` becomes that of the theme; as they are, they are of a grey that suits all.
``fonts`` has the letters of figures in files.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def read_bytes(name: str) -> bytes:
    """Read a resource.

    Parameters
    ----------
    name : str
        File name in this package.
    """
    return (_FOLDER / name).read_bytes()


def read_text(name: str) -> str:
    """Read a resource that is text, in UTF-8."""
    return read_bytes(name).decode("utf-8")
