"""Files that an export puts beside a network: how it wants its pictures, its tokenizer, and its text network."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

PREPROCESSING = "preprocessor_config.json"
TOKENIZER = "tokenizer.json"

_MOST_EXPORT_BYTES = 1 << 20
_IMAGE_NAMES, _TEXT_NAMES = ("vision", "visual", "image"), ("text", "textual")
_BICUBIC = 3  # as Pillow numbers the ways to resize
_SIDES = range(8, 2049)

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Preprocessing:
    """How a network wants its pictures.

    Attributes
    ----------
    side : int or None
        Of the square that it takes; None where nothing says so.
    framing, resampling : str
        How a picture becomes square ("crop", "stretch"), and how it becomes smaller ("area", "bicubic").
    mean, deviation : tuple of float
        Of red, green and blue, which are 0 to 1.
    """

    side: int | None = None
    framing: str = "crop"
    resampling: str = "area"
    mean: Triple = (0.485, 0.456, 0.406)
    deviation: Triple = (0.229, 0.224, 0.225)

    @classmethod
    def beside(cls, network: str) -> Preprocessing:
        """Return what the file says that lies beside a network; of ImageNet's networks what it leaves out."""
        file = find_beside(network, [PREPROCESSING])
        return cls() if file is None else _read(Path(file))


def find_beside(network: str, names: Iterable[str]) -> str | None:
    """Return the first of some files beside a network, or, where that lies in a folder "onnx", one level above it."""
    folder = Path(network).parent
    folders = [folder, folder.parent] if folder.name == "onnx" else [folder]
    return next((file for name in names for place in folders if is_file(file := str(place / name))), None)


def is_file(path: str) -> bool:
    """Return whether there is such a file; what cannot be looked at is none."""
    return os.path.isfile(path)  # noqa: PTH113 (Path's raises where a folder may not be looked into)


def text_names(network: str) -> list[str]:
    """Return the usual names of the text network of an image network, the likeliest first.

    Examples
    --------
    >>> text_names("clip/vision_model_quantized.onnx")
    ['text_model_quantized.onnx', 'textual_model_quantized.onnx', 'text_model.onnx']
    >>> text_names("clip/visual.onnx")
    ['text.onnx', 'textual.onnx', 'text_model.onnx']
    """
    own = Path(network).name
    named = [own.replace(image, text) for image in _IMAGE_NAMES if image in own for text in _TEXT_NAMES]
    return list(dict.fromkeys([*named, "text_model.onnx"]))


def _read(file: Path) -> Preprocessing:
    """Read the file; what it does not say, or says as nobody writes it, is as usual."""
    usual = Preprocessing()
    try:
        with file.open("rb") as stream:
            said = json.loads(stream.read(_MOST_EXPORT_BYTES))
    except (OSError, ValueError, RecursionError):
        return usual
    if not isinstance(said, dict):
        return usual
    size, crop = _sides(said.get("size")), _sides(said.get("crop_size"))
    crops = bool(said.get("do_center_crop", "height" not in size))
    chosen = crop if crops and crop else size
    side = next((chosen[name] for name in ("height", "shortest_edge") if name in chosen), None)
    plain = said.get("do_normalize") is False
    return replace(
        usual,
        side=side,
        framing="crop" if crops else "stretch",
        resampling="bicubic" if said.get("resample") == _BICUBIC else "area",
        mean=(0.0, 0.0, 0.0) if plain else _triple(said.get("image_mean"), usual.mean, 0.0, 1.0),
        deviation=(1.0, 1.0, 1.0) if plain else _triple(said.get("image_std"), usual.deviation, 1e-6, 1e3),
    )


def _sides(said: Any) -> dict[str, int]:
    """Return sides by their names: older files give one number, newer ones name them."""
    named = said if isinstance(said, dict) else {"shortest_edge": said}
    return {name: side for name, side in named.items() if type(side) is int and side in _SIDES}


def _triple(said: Any, usual: Triple, least: float, most: float) -> Triple:
    numbers = said if isinstance(said, list) else []
    if len(numbers) != 3 or not all(type(one) in (int, float) and math.isfinite(one) for one in numbers):
        return usual
    red, green, blue = (float(one) for one in numbers)
    return (red, green, blue) if least <= min(numbers) and max(numbers) <= most else usual
