"""A network in a file, a person's own or one that comes along: read once a process, run one picture at a time.

An export puts files beside it: how it wants its pictures, its tokenizer, and its text network.

The file stays where it is. A library keeps its path and the SHA-256 of its content, so that vectors of one network are
never compared with those of another that took its place. One thread runs it, so that the vector is the same in every
process; it never uses the network of computers.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors
from twinlens.core.errors import InvalidError, TwinlensError
from twinlens.core.files.untrusted_input import read_bytes
from twinlens.core.message import Message, verbatim
from twinlens.core.systems import system
from twinlens.features.descriptor import UnusableError
from twinlens.features.network import ready_made_network, runtime
from twinlens.features.network.onnx_file import PICTURE_SIDES, OnnxFile

MOST_NUMBERS = 65_536
"""In a vector."""

_MOST_BYTES = 1 << 31  # of a protobuf message
_WHILE_READ = 4  # times the size of its file, with the file itself
_WORDS = 160
_KINDS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(float16)": np.float16, "tensor(bool)": np.bool_}


class LostNetworkError(UnusableError):
    """The file of a network is not there, cannot be read, or is another one."""


class RunError(Exception):
    """A network does not take its input."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.why = why


class OpenNetwork:
    """A network that was read; safe to use from several threads.

    Parameters
    ----------
    name : str
        Of its file, for messages.
    data : bytes
        The whole ONNX file.
    layer : str, optional
        Name of the output that is wanted; None for the file's last.

    Raises
    ------
    TwinlensError
        If it is no network that can be read, or has no such layer.
    """

    def __init__(self, name: str, data: bytes, layer: str | None = None) -> None:
        self._name = name
        try:
            self._file = OnnxFile(data)
        except ValueError:
            raise _unreadable(name, Message("it is a file of another kind, or cut short")) from None
        self._layers = self._file.layers
        if layer is not None:
            if layer not in self._layers:
                raise TwinlensError(
                    "{name} has no layer “{layer}”.",
                    "Its last ones are {layers}.",
                    name=name,
                    layer=layer,
                    layers=", ".join(self._layers[-5:]),
                )
            data = self._file.with_output(layer)
        self._session = _session(name, data)
        self.inputs = tuple(_Input(one.name, tuple(one.shape), one.type) for one in self._session.get_inputs())
        self.outputs = tuple(one.name for one in self._session.get_outputs())

    @property
    def side(self) -> int | None:
        """Pixels of the square pictures that it takes; None where the file leaves it open."""
        shape = self._file.input_shape
        return shape[2] if shape is not None and len(shape) == PICTURE_SIDES and shape[2] == shape[3] else None

    def run(self, planes: Float32Vectors) -> Float32Vectors:
        """Return the output of the network for a picture.

        Parameters
        ----------
        planes : ndarray of float32, (3, h, w)

        Returns
        -------
        ndarray of float32, (d,)

        Raises
        ------
        TwinlensError
            If it does not take such a picture, or gives no vector.
        """
        return self.run_once(planes, self.outputs[-1:])[0]

    def run_once(self, planes: Float32Vectors, outputs: Sequence[str]) -> list[Float32Vectors]:
        """Return several outputs of the network for a picture; see :meth:`run`."""
        if not self._file.takes((1, *planes.shape)):
            raise self._does_not_take(planes, Message("it takes {shape}", shape=self._file.shape_text()))
        pictures = [one.name for one in self.inputs if len(one.shape) == PICTURE_SIDES]
        try:
            return self.vectors({(pictures or [self.inputs[0].name])[0]: planes[None]}, outputs)
        except RunError as error:
            raise self._does_not_take(planes, error.why) from None

    def vectors(self, given: Mapping[str, npt.NDArray[np.generic]], outputs: Sequence[str]) -> list[Float32Vectors]:
        """Return some outputs as vectors.

        Parameters
        ----------
        given : mapping of str to ndarray
            Inputs by their names. A network of pictures and words in one file has others too: they are filled with
            zeros, and nothing that depends on them is computed.
        outputs : sequence of str
            Some of `outputs`.

        Raises
        ------
        RunError
            If it does not take what is given.
        TwinlensError
            If it gives no vector.
        """
        options = runtime.import_runtime().RunOptions()
        options.only_execute_path_to_fetches = True
        try:
            feeds = {one.name: given[one.name] if one.name in given else one.zeros() for one in self.inputs}
            found = self._session.run(list(outputs), feeds, options)
        except Exception as error:  # noqa: BLE001 (its errors have no common kind)
            raise RunError(_reason(error)) from None
        return [self._as_vector(np.asarray(one)) for one in found]

    def _as_vector(self, found: npt.NDArray[np.generic]) -> Float32Vectors:
        sides = [side for side in found.shape if side != 1]
        if len(sides) != 1:
            shape = verbatim(" x ".join(map(str, sides))) or Message("one number")
            raise TwinlensError(
                "{name} gives {shape}, which is no vector.",
                "Name a layer that gives one, as in layer=NAME; the last ones are {layers}.",
                name=self._name,
                shape=shape,
                layers=", ".join(self._layers[-5:]),
            )
        if sides[0] > MOST_NUMBERS:
            raise TwinlensError(
                "{name} gives {sides} numbers; at most {most_numbers} can be kept.",
                "Name a layer that gives fewer.",
                name=self._name,
                sides=sides[0],
                most_numbers=MOST_NUMBERS,
            )
        return found.ravel().astype(np.float32)

    def _does_not_take(self, planes: Float32Vectors, why: Message) -> TwinlensError:
        shape = " x ".join(map(str, (1, *planes.shape)))
        return TwinlensError(
            "{name} does not take a picture as {shape} numbers ({why}).",
            "Give the side that it was made for, as in side=224; it must take three colours, plane by plane.",
            name=self._name,
            shape=shape,
            why=why,
        )


class _Input(NamedTuple):
    """An input as the session describes it; a side that may be any is a name or None."""

    name: str
    shape: tuple[int | str | None, ...]
    kind: str

    def zeros(self) -> npt.NDArray[np.generic]:
        sides = [side if isinstance(side, int) and side > 0 else 1 for side in self.shape]
        return np.zeros(sides, _KINDS.get(self.kind, np.float32))


def _unreadable(name: str, why: Message) -> TwinlensError:
    return TwinlensError(
        "{name} is no ONNX network that can be read ({why}).",
        "Give a file that was exported as ONNX, with its weights in it.",
        name=name,
        why=why,
    )


def _reason(error: Exception) -> Message:
    return verbatim(" ".join(str(error).split())[:_WORDS])


def _session(name: str, data: bytes) -> Any:
    """Return an InferenceSession of onnxruntime."""
    onnxruntime = runtime.import_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        with _room_for(len(data)):
            return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 (its errors have no common kind)
        raise _unreadable(name, _reason(error)) from None


@contextmanager
def _room_for(size: int) -> Iterator[None]:
    """Raise the memory limit of this process by the needs of a network.

    Reading one takes some three times the size of its file for a moment, and then once.
    """
    limit = system.memory_limit()
    if limit is None:
        yield
        return
    system.limit_memory(limit + _WHILE_READ * size)
    try:
        yield
    finally:
        system.limit_memory(limit + size)


def network_file_digest(path: str) -> str:
    """Return the SHA-256 of a network's file, in hexadecimal digits; it is read again only when it has changed.

    Of a network that comes along, which is named in place of a path, what tells it from others.

    Raises
    ------
    TwinlensError
        If it is not there, or cannot be read.
    """
    return (
        ready_made_network.ready_made_digest(path)
        if path in ready_made_network.READY_MADE
        else _digest_and_data(path)[0]
    )


def changed_network_error(path: str) -> Message:
    """Return the error that a file has changed since it was chosen, or a network that comes along with the program."""
    if path in ready_made_network.READY_MADE:
        return Message("An earlier version of Twinlens has described these photos, by another network.")
    return Message("The network {path} has changed since this index was made with it.", path=path)


def open_network(path: str, digest: str, layer: str | None = None) -> OpenNetwork:
    """Read a network, or return the one that was read before.

    Raises
    ------
    LostNetworkError
        If its file is not there, or has another content than when it was chosen.
    TwinlensError
        If it is no network.
    """
    key = digest, layer
    with _lock:
        if key not in _open:
            made = OpenNetwork(path, _content(path, digest), layer)
            while len(_open) >= _KEPT:
                _open.pop(next(iter(_open)))
            _open[key] = made
        return _open[key]


def _content(path: str, digest: str) -> bytes:
    if path in ready_made_network.READY_MADE:
        if ready_made_network.ready_made_digest(path) != digest:
            rescan = Message("Rescan: Twinlens describes them again, and then this search works.")
            raise LostNetworkError(changed_network_error(path), rescan)
        return ready_made_network.onnx(path)
    found, kept = _digest_and_data(path)
    data = _bytes(path) if kept is None and found == digest else kept or b""
    if found != digest:
        raise LostNetworkError(
            changed_network_error(path), Message("Put the old file back, or make another index with the new one.")
        )
    return data


_KEPT = 2
_lock = threading.RLock()
_open: dict[tuple[str, str | None], OpenNetwork] = {}
_digests: dict[tuple[str, int, int], str] = {}


def _digest_and_data(path: str) -> tuple[str, bytes | None]:
    """Return the digest, and the content where it was read for the digest."""
    try:
        status = Path(path).stat()
    except OSError:
        raise LostNetworkError(
            Message("The network {path} is not there.", path=path),
            Message("Put the file back, or connect its disk, or name another one."),
        ) from None
    if status.st_size > _MOST_BYTES:
        raise TwinlensError("{path} is too large for an ONNX network: more than 2 GB.", "Name another file.", path=path)
    seen = (path, status.st_size, status.st_mtime_ns)
    if seen in _digests:
        return _digests[seen], None
    data = _bytes(path)
    _digests[seen] = hashlib.sha256(data).hexdigest()
    return _digests[seen], data


def _bytes(path: str) -> bytes:
    try:
        return read_bytes(Path(path), _MOST_BYTES)
    except InvalidError as error:
        raise LostNetworkError(
            Message("The network {path} cannot be read: {error}.", path=path, error=error.message),
            Message("Name an ONNX file."),
        ) from None
    except OSError as error:
        raise LostNetworkError(
            Message("The network {path} cannot be read: {value}.", path=path, value=error.strerror or error),
            Message("Name an ONNX file that can be read."),
        ) from None


PREPROCESSING = "preprocessor_config.json"
TOKENIZER = "tokenizer.json"
_MOST_EXPORT_BYTES = 1 << 20
_IMAGE_NAMES, _TEXT_NAMES = ("vision", "visual", "image"), ("text", "textual")
_BICUBIC = 3  # as Pillow numbers the ways to resize
_SIDES = range(8, 2049)
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Preprocessing:
    """The preprocessing of pictures for a network.

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
        """Return the preprocessing by the file beside a network, completed by that of ImageNet's networks."""
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
    """Read the file; missing and malformed values get their usual ones."""
    usual = Preprocessing()
    try:
        with file.open("rb") as stream:
            export = json.loads(stream.read(_MOST_EXPORT_BYTES))
    except (OSError, ValueError, RecursionError):
        return usual
    if not isinstance(export, dict):
        return usual
    size, crop = _sides(export.get("size")), _sides(export.get("crop_size"))
    crops = bool(export.get("do_center_crop", "height" not in size))
    chosen = crop if crops and crop else size
    side = next((chosen[name] for name in ("height", "shortest_edge") if name in chosen), None)
    plain = export.get("do_normalize") is False
    return replace(
        usual,
        side=side,
        framing="crop" if crops else "stretch",
        resampling="bicubic" if export.get("resample") == _BICUBIC else "area",
        mean=(0.0, 0.0, 0.0) if plain else _triple(export.get("image_mean"), usual.mean, 0.0, 1.0),
        deviation=(1.0, 1.0, 1.0) if plain else _triple(export.get("image_std"), usual.deviation, 1e-6, 1e3),
    )


def _sides(value: Any) -> dict[str, int]:
    """Return sides by their names: older files give one number, newer ones name them."""
    named = value if isinstance(value, dict) else {"shortest_edge": value}
    return {name: side for name, side in named.items() if type(side) is int and side in _SIDES}


def _triple(value: Any, usual: Triple, least: float, most: float) -> Triple:
    numbers = value if isinstance(value, list) else []
    if len(numbers) != 3 or not all(type(one) in (int, float) and math.isfinite(one) for one in numbers):
        return usual
    red, green, blue = (float(one) for one in numbers)
    return (red, green, blue) if least <= min(numbers) and max(numbers) <= most else usual
