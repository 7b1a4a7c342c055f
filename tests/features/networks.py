"""Small networks as ONNX files: nothing is fetched."""

from __future__ import annotations

import json
import struct
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.features.network.onnx_file import FLOAT, INT64, Value, block, model, node, tensor

Weights = npt.NDArray[np.float32]


def network(
    weights: Weights, side: int = 64, pool: int = 8, flat: bool = True, colours: int = 3, open_size: bool = False
) -> bytes:
    """Write a network: a convolution of 1 x 1, what is below 0 set to 0, averages of squares, and all in one row.

    Parameters
    ----------
    weights : ndarray of float32, (channels, colours)
    side : int
        Of its input.
    pool : int
        Of the squares.
    flat : bool
        Whether the last step is there; without it the answer is no vector.
    colours : int
        Of its input.
    open_size : bool
        Whether its input may have any size.
    """
    channels, small = len(weights), side // pool
    nodes = [
        node("Conv", ["input", "weights"], "mixed", kernel_shape=[1, 1]),
        node("Relu", ["mixed"], "positive"),
        node("AveragePool", ["positive"], "pooled", kernel_shape=[pool, pool], strides=[pool, pool]),
    ]
    given = Value("pooled", (1, channels, small, small))
    if flat:
        nodes.append(node("Flatten", ["pooled"], "output"))
        given = Value("output", (1, None if open_size else channels * small * small))
    sides = (None, None) if open_size else (side, side)
    taken = Value("input", (None, colours, *sides))
    return model(nodes, [tensor("weights", weights[:, :, None, None])], [taken], [given])


PAIR_SIDE = 16
"""Pixels of the pictures that the image network of the pair takes."""
_KNOWN = {"[UNK]": (0, 0, 0), "red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0)}
_PICTURE, _IDS, _MASK = "pixel_values", "input_ids", "attention_mask"


def write_pair(
    folder: Path, image: str = "vision_model.onnx", text: str = "text_model.onnx", room: int | None = None
) -> Path:
    """Write a pair of one space as exports name them, and return the image network.

    A picture is its mean colour, a word the colour that it names, a text the sum of its words. Both networks lie in one
    file where both have one name.

    Parameters
    ----------
    folder : Path
    image, text : str
        Names of the files.
    room : int, optional
        How many numbers the text network takes; None for any.
    """
    colours = [
        node("GlobalAveragePool", [_PICTURE], "pooled"),
        node("Flatten", ["pooled"], "image_embeds"),
    ]
    words = [
        node("Gather", ["table", _IDS], "each"),
        node("Cast", [_MASK], "counts", to=FLOAT),
        node("MatMul", ["counts", "each"], "sum"),
        node("Flatten", ["sum"], "text_embeds"),
    ]
    table = tensor("table", np.array(list(_KNOWN.values()), np.float32))
    sides = (None, None, None) if image == text else (3, PAIR_SIDE, PAIR_SIDE)  # as a network of both leaves them open
    taken = [Value(_IDS, (1, room), INT64), Value(_MASK, (1, room), INT64)]
    given = Value("text_embeds", (1, 3))
    pictures, embedded = Value(_PICTURE, (None, *sides)), Value("image_embeds", (1, 3))
    folder.mkdir(parents=True, exist_ok=True)
    if image == text:
        both = model([*words, *colours], [table], [taken[0], pictures, taken[1]], [embedded, given])
        (folder / image).write_bytes(both)
    else:
        (folder / image).write_bytes(model(colours, [], [pictures], [embedded]))
        (folder / text).write_bytes(model(words, [table], taken, [given]))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()), encoding="utf-8")
    said = {"crop_size": PAIR_SIDE, "image_mean": [0, 0, 0], "image_std": [1, 1, 1], "resample": 3}
    (folder / "preprocessor_config.json").write_text(json.dumps(said), encoding="utf-8")
    return folder / image


def tokenizer() -> dict[str, Any]:
    """Return a tokenizer that knows some colours by their English names."""
    nothing = dict.fromkeys(("truncation", "padding", "post_processor", "decoder"))
    known = {word: number for number, word in enumerate(_KNOWN)}
    return {
        "version": "1.0",
        **nothing,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": known, "unk_token": "[UNK]"},
    }


def both_signs() -> Weights:
    """Let each of red, green and blue through above its mean, and below it: 6 channels."""
    return np.concatenate([np.eye(3, dtype=np.float32), -np.eye(3, dtype=np.float32)])


@cache
def network_file() -> str:
    """Return a file with such a network, for as long as the tests run."""
    folder = tempfile.TemporaryDirectory(prefix="twinlens-network-")
    _kept.append(folder)
    path = Path(folder.name) / "small.onnx"
    path.write_bytes(network(both_signs()))
    return str(path)


_kept: list[tempfile.TemporaryDirectory[str]] = []


def garbage() -> bytes:
    """Return bytes that begin like a network and are none."""
    return b"\x08\x08" + block(7, struct.pack("<8I", *range(8)))
