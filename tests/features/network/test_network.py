"""A network of one's own: what it is given, what it gives, and what is said where it is missing, changed or none."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.features.networks import both_signs, garbage, network
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.features.descriptor import Vector
from twinlens.features.network import network_file
from twinlens.features.network.network import Network
from twinlens.features.network.onnx_file import FLOAT, Value, model, node, tensor
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never

SIDE = 64
MEAN = np.array([0.485, 0.456, 0.406])
DEVIATION = np.array([0.229, 0.224, 0.225])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "small.onnx"
    file.write_bytes(network(both_signs()))
    return file


def pixels(height: int, width: int, seed: int = 0) -> npt.NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def picture(rgb: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None = None) -> Picture:
    return Picture(np.ascontiguousarray(rgb, np.uint8), mask, PictureFacts("PNG", 1, 1))


def describe(path: Path, rgb: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None = None, **values: Any) -> Vector:
    declared = Network(path=str(path), **{"side": SIDE} | values)
    return declared.fit(never).extract(picture(rgb, mask))


def plain(rgb: npt.NDArray[Any], mean: Any = MEAN, deviation: Any = DEVIATION) -> npt.NDArray[np.float64]:
    """Do by hand what the small network does: to 64 x 64 pixels."""
    planes = ((rgb / 255 - mean) / deviation).transpose(2, 0, 1)
    mixed = np.maximum(np.concatenate([planes, -planes]), 0)
    return np.asarray(mixed.reshape(6, 8, 8, 8, 8).mean(axis=(2, 4)).ravel())


def unit(vector: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(vector / np.linalg.norm(vector))


@pytest.mark.usefixtures("trial_process")
def test_the_vector_is_what_the_network_gives(path: Path) -> None:
    rgb = pixels(SIDE, SIDE)
    np.testing.assert_allclose(describe(path, rgb, normalise=False), plain(rgb), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(describe(path, rgb), unit(plain(rgb)), rtol=1e-4, atol=1e-6)


def test_preprocessing_is_as_declared(path: Path) -> None:
    rgb = pixels(SIDE, SIDE)
    plain_scale: dict[str, Any] = dict.fromkeys(("mean_red", "mean_green", "mean_blue"), 0.5) | {
        "deviation_red": 1 / 255
    }
    found = describe(path, rgb, normalise=False, **plain_scale)
    expected = plain(rgb, 0.5, np.array([1 / 255, 0.224, 0.225]))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_the_order_of_the_colours_is_as_declared(path: Path) -> None:
    rgb = pixels(SIDE, SIDE)
    found = describe(path, rgb, channels="bgr", normalise=False).reshape(2, 3, -1)
    np.testing.assert_allclose(found, plain(rgb).reshape(2, 3, -1)[:, ::-1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("channels", ["rgb", "bgr"])
def test_each_level_is_given_in_float32_bit_for_bit(path: Path, channels: str) -> None:
    rgb, mask = pixels(SIDE, SIDE), pixels(SIDE, SIDE, 1)[..., 0] < 200
    planes = (rgb.astype(np.float32) / np.float32(255) - MEAN.astype(np.float32)) / DEVIATION.astype(np.float32)
    planes[~mask] = 0
    expected = planes[..., ::-1] if channels == "bgr" else planes
    extractor = Network(path=str(path), side=SIDE, channels=channels).fit(never)
    np.testing.assert_array_equal(extractor.planes(picture(rgb, mask)), expected.transpose(2, 0, 1))


def test_crop_takes_the_middle_and_stretch_takes_all(path: Path) -> None:
    rgb = pixels(SIDE, 2 * SIDE)
    np.testing.assert_allclose(describe(path, rgb), describe(path, rgb[:, 32:96]), atol=1e-6)
    stretched = cv2.resize(rgb, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    np.testing.assert_allclose(describe(path, rgb, framing="stretch"), describe(path, stretched), atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 1), (1, 200), (63, 65), (480, 640)])
def test_pictures_of_any_size(path: Path, shape: tuple[int, int]) -> None:
    assert np.linalg.norm(describe(path, pixels(*shape))) == pytest.approx(1, abs=1e-5)


def test_what_is_transparent_does_not_count(path: Path) -> None:
    rgb, mask = pixels(SIDE, SIDE), np.zeros((SIDE, SIDE), np.bool_)
    assert not describe(path, rgb, mask).any()
    mask[:24] = True
    other = rgb.copy()
    other[24:] = pixels(SIDE, SIDE, 1)[24:]
    np.testing.assert_array_equal(describe(path, rgb, mask), describe(path, other, mask))
    assert not describe(path, rgb, mask).reshape(6, 8, 8)[:, 3:].any()


def test_a_layer_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "maps.onnx"
    file.write_bytes(network(both_signs(), side=8, pool=8))
    found = describe(file, pixels(8, 8), layer="pooled", side=8)
    np.testing.assert_array_equal(found, describe(file, pixels(8, 8), side=8))
    with pytest.raises(TwinlensError, match="6 x 8 x 8, which is no vector"):
        describe(file, pixels(8, 8), layer="positive", side=8)
    flat = tmp_path / "flat.onnx"
    flat.write_bytes(network(both_signs(), flat=False, pool=SIDE))
    by_name = describe(flat, pixels(SIDE, SIDE), layer="pooled")
    np.testing.assert_allclose(by_name, describe(flat, pixels(SIDE, SIDE)))
    assert by_name.shape == (6,)
    with pytest.raises(TwinlensError, match="no layer “last”") as caught:
        describe(file, pixels(8, 8), layer="last", side=8)
    assert "output" in str(caught.value.advice)


def test_dimensions_are_the_network_s(path: Path) -> None:
    assert Network(path=str(path), side=64).dimensions == 384
    path.write_bytes(network(both_signs(), open_size=True))
    assert Network(path=str(path), side=32).dimensions == 96


def test_the_side_is_the_network_s(path: Path) -> None:
    with pytest.raises(TwinlensError, match="it takes any x 3 x 64 x 64"):
        Network(path=str(path), side=32).fit(never)


def test_another_file_is_another_descriptor(path: Path) -> None:
    declared = Network(path=str(path), side=SIDE)
    before = declared.fit(never)
    path.write_bytes(network(2 * both_signs()))
    after = declared.fit(never)
    assert before.pack().digest() != after.pack().digest()
    keys = {declared.identity(digest=one.pack().digest()) for one in (before, after)}
    assert len(keys) == 2
    assert "has changed" in str(before.unusable())
    assert str(after.unusable()) == ""
    path.write_bytes(network(both_signs()))
    assert str(before.unusable()) == ""


def test_a_file_that_is_gone_or_changed_is_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = Network(path=str(path), side=SIDE).fit(never)
    monkeypatch.setattr(network_file, "_open", {})  # as in a process that has not read it
    path.write_bytes(network(2 * both_signs()))
    with pytest.raises(TwinlensError, match="has changed") as caught:
        extractor.extract(picture(pixels(9, 9)))
    assert "Put the old file back" in str(caught.value.advice)
    path.unlink()
    with pytest.raises(TwinlensError, match="is not there"):
        extractor.extract(picture(pixels(9, 9)))
    assert "is not there" in str(extractor.unusable())


def test_without_a_file(tmp_path: Path) -> None:
    declared = Network(path=str(tmp_path / "no"))
    with pytest.raises(TwinlensError, match="is not there"):
        declared.fit(never)
    with pytest.raises(TwinlensError, match="is not there"):
        _ = declared.dimensions
    with pytest.raises(TwinlensError, match="cannot be read"):
        Network(path=str(tmp_path)).fit(never)


@pytest.mark.parametrize("content", [b"", b"no network at all", garbage(), network(both_signs())[:-200]])
@pytest.mark.usefixtures("trial_process")
def test_what_is_no_network_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.onnx"
    file.write_bytes(content)
    with pytest.raises(TwinlensError, match="no ONNX network that can be read"):
        Network(path=str(file)).fit(never)


@pytest.mark.usefixtures("trial_process")
def test_what_gives_no_vector_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "maps.onnx"
    file.write_bytes(network(both_signs(), flat=False))
    with pytest.raises(TwinlensError, match="6 x 8 x 8, which is no vector"):
        Network(path=str(file), side=SIDE).fit(never)


def test_what_takes_no_colours_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "five.onnx"
    file.write_bytes(network(np.ones((2, 5), np.float32), colours=5))
    with pytest.raises(
        TwinlensError, match=r"does not take a picture as 1 x 3 x 64 x 64 numbers \(it takes any x 5 x 64 x 64"
    ) as caught:
        Network(path=str(file), side=SIDE).fit(never)
    assert "side=224" in str(caught.value.advice)


def test_numbers_beyond_all_bounds_are_nothing_to_compare(tmp_path: Path) -> None:
    file = tmp_path / "large.onnx"
    file.write_bytes(network(np.float32(3e38) * both_signs()))
    assert not describe(file, pixels(SIDE, SIDE)).any()
    file.write_bytes(network(np.float32(1e6) * both_signs()))
    assert np.isfinite(describe(file, pixels(SIDE, SIDE), normalise=False).astype(np.float16)).all()


@pytest.mark.parametrize("name", ["a,b.onnx", "a(1).onnx"])
def test_a_path_that_the_text_form_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(DeclarationError, match="another name"):
        Network(path=name)


def test_a_path_is_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Network(path="small.onnx").path == str(tmp_path / "small.onnx")


def test_threads_do_not_get_into_each_other_s_way(path: Path) -> None:
    extractor = Network(path=str(path), side=SIDE).fit(never)
    pictures = [picture(pixels(SIDE, SIDE, seed)) for seed in range(8)]
    alone = [extractor.extract(one) for one in pictures]
    found: dict[int, Vector] = {}

    def work(number: int) -> None:
        found[number] = extractor.extract(pictures[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, expected in enumerate(alone):
        np.testing.assert_array_equal(found[number], expected)


def test_a_layer_of_small_numbers_runs(tmp_path: Path) -> None:
    file = tmp_path / "integers.onnx"
    weights = np.random.default_rng(0).standard_normal((12, 7)).astype(np.float32)
    nodes = [
        node("AveragePool", ["input"], "pooled", kernel_shape=[8, 8], strides=[8, 8]),
        node("Flatten", ["pooled"], "flat"),
        node("DynamicQuantizeLinear", ["flat"], "numbers", "scale", "zero"),
        node("DynamicQuantizeLinear", ["weights"], "small", "small scale", "small zero"),
        node("MatMulInteger", ["numbers", "small", "zero", "small zero"], "sums"),
        node("Cast", ["sums"], "real", to=FLOAT),
        node("Mul", ["scale", "small scale"], "both"),
        node("Mul", ["real", "both"], "output"),
    ]
    taken, given = Value("input", (1, 3, 16, 16)), Value("output", (1, 7))
    file.write_bytes(model(nodes, [tensor("weights", weights)], [taken], [given]))
    rgb = pixels(16, 16)
    means = ((rgb / 255 - MEAN) / DEVIATION).transpose(2, 0, 1).reshape(3, 2, 8, 2, 8).mean(axis=(2, 4)).ravel()
    np.testing.assert_allclose(describe(file, rgb, side=16, normalise=False), means @ weights, atol=0.05)


def test_a_network_of_small_numbers_runs(tmp_path: Path) -> None:
    file = tmp_path / "quantised.onnx"
    nodes = [
        node("DynamicQuantizeLinear", ["input"], "numbers", "scale", "zero"),
        node("DequantizeLinear", ["numbers", "scale", "zero"], "back"),
        node("AveragePool", ["back"], "pooled", kernel_shape=[8, 8], strides=[8, 8]),
        node("Flatten", ["pooled"], "output"),
    ]
    file.write_bytes(model(nodes, [], [Value("input", (1, 3, 16, 16))], [Value("output", (1, 12))]))
    rgb = pixels(16, 16)
    expected = ((rgb / 255 - MEAN) / DEVIATION).transpose(2, 0, 1).reshape(3, 2, 8, 2, 8).mean(axis=(2, 4)).ravel()
    np.testing.assert_allclose(describe(file, rgb, side=16, normalise=False), expected, atol=0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_a_large_network_is_read_where_pictures_have_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "large.onnx"
    rows = np.zeros((12, 2 << 20), np.float32)  # 101 MB
    nodes = [
        node("AveragePool", ["input"], "pooled", kernel_shape=[8, 8], strides=[8, 8]),
        node("Flatten", ["pooled"], "flat"),
        node("MatMul", ["flat", "weights"], "wide"),
        node("ReduceMax", ["wide"], "most", axes=[1], keepdims=1),
        node("Concat", ["most", "most"], "output", axis=1),
    ]
    taken, given = Value("input", (1, 3, 16, 16)), Value("output", (1, 2))
    file.write_bytes(model(nodes, [tensor("weights", rows)], [taken], [given]))
    script = """
import sys
from twinlens.app.library.workers.worker import hold_to
from twinlens.features.network.network_file import network_file_digest, open_network
import onnxruntime, numpy as np
hold_to(250 << 20)
print(open_network(sys.argv[1], network_file_digest(sys.argv[1])).run(np.zeros((3, 16, 16), np.float32)))
"""
    done = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[0. 0.]", done.stderr
