"""Reduced pictures: what is left of a picture so that its local features can be described later, without its file.

Local features cost more than the rest of a description. So a picture is reduced when its file is read: the grey
pictures in which keypoints will be looked for, and the vectors of a fusion's other parts, all of them exact. What is
described of a reduced picture is equal, bit by bit, to what is described of the picture.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence

import numpy as np

from twinlens.core.arrays import AnyArray, UInt8Pixels
from twinlens.features.descriptor import Extractor
from twinlens.features.fusion import FusionExtractor, keep_known_part
from twinlens.features.keypoints.sift import Cap, keep_small_grey, small_grey
from twinlens.features.pictures.picture import Picture, PictureFacts

_MAGIC = b"reduced picture 1\n"


def reduce(picture: Picture, caps: Iterable[Cap], extractors: Iterable[Extractor]) -> bytes:
    """Return the data needed to describe a picture's local features later; the picture must be opaque.

    Parameters
    ----------
    caps : iterable of Cap
        Which local features will be described.
    extractors : iterable of Extractor
        What will describe them.
    """
    assert picture.mask is None, "keypoints near what is transparent are chosen by the mask"
    arrays: dict[str, AnyArray] = {
        f"side {side}": small_grey(picture, side) for side in sorted({cap.side for cap in caps})
    }
    for one in extractors:
        if isinstance(one, FusionExtractor):
            arrays |= {f"said {name}": vector for name, vector in one.known_parts(picture).items()}
    layout = [(name, array.dtype.str, array.shape) for name, array in arrays.items()]
    header = json.dumps({"size": picture.rgb.shape[1::-1], "arrays": layout}).encode()
    body = b"".join([_MAGIC, header, b"\n", *(np.ascontiguousarray(array).tobytes() for array in arrays.values())])
    return body + zlib.crc32(body).to_bytes(4, "little")


def restored(data: bytes, caps: Iterable[Cap], extractors: Sequence[Extractor]) -> Picture:
    """Return a picture that has the local features of the one that was reduced, and no colours.

    Raises
    ------
    ValueError
        If the bytes are damaged, or were not made for these local features and extractors.
    """
    body = data[:-4]
    if not body.startswith(_MAGIC) or zlib.crc32(body) != int.from_bytes(data[-4:], "little"):
        raise ValueError("damaged")
    end = body.index(b"\n", len(_MAGIC))
    layout, start = json.loads(body[len(_MAGIC) : end]), end + 1
    arrays: dict[str, AnyArray] = {}
    for name, dtype, shape in layout["arrays"]:
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(body, dtype, count, start).reshape(shape)
        start += arrays[name].nbytes
    width, height = layout["size"]
    rgb: UInt8Pixels = np.broadcast_to(np.uint8(0), (height, width, 3))
    picture = Picture(rgb, None, PictureFacts("", width, height))
    for side in {cap.side for cap in caps}:
        keep_small_grey(picture, side, _of(arrays, f"side {side}"))
    for name in {name for one in extractors if isinstance(one, FusionExtractor) for name in one.known_part_names}:
        keep_known_part(picture, name, _of(arrays, f"said {name}"))
    return picture


def _of(arrays: dict[str, AnyArray], name: str) -> AnyArray:
    if name not in arrays:
        raise ValueError(f"made without {name}")
    return arrays[name]
