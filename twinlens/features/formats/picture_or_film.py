"""Whether a file is a picture, a film or a sound, of whatever type: what a camera gives, and nobody makes again."""

from __future__ import annotations

from twinlens.features.formats.formats import recognise
from twinlens.features.formats.types_not_read import is_film_or_sound
from twinlens.features.reading.reading_limits import NotAPictureError, UnreadableError


def is_picture_or_film(data: bytes, name: str = "") -> bool:
    r"""Return whether bytes are of a picture, of a type that is read or not, or of a film or a sound.

    Parameters
    ----------
    data : bytes
        The beginning of a file, or all of it.
    name : str
        As of :func:`twinlens.features.formats.formats.recognise`.

    Examples
    --------
    >>> is_picture_or_film(b"GIF89a..."), is_picture_or_film(b"v/1\x01"), is_picture_or_film(b"a,b,c")
    (True, True, False)
    """
    if is_film_or_sound(data):
        return True
    try:
        recognise(data, name)
    except NotAPictureError:
        return False
    except UnreadableError:
        return True
    return True
