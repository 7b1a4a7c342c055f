"""What an ONNX file says of itself, and that no bytes at all make its reader fail otherwise than in words."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnxruntime import InferenceSession

from tests.features.networks import both_signs, network
from twinlens.features.network.onnx_file import OnnxFile

MADE = network(both_signs())


def test_a_file_tells_its_input_and_its_layers() -> None:
    file = OnnxFile(MADE)
    assert file.input_shape == (None, 3, 64, 64)
    assert file.shape_text() == "any x 3 x 64 x 64"
    assert file.layers == ["mixed", "positive", "pooled", "output"]
    assert file.takes((1, 3, 64, 64))
    assert not file.takes((1, 3, 32, 32))
    assert not file.takes((1, 1, 64, 64))
    assert not file.takes((3, 64, 64))
    assert OnnxFile(network(both_signs(), open_size=True)).takes((1, 3, 17, 99))


@pytest.mark.parametrize(
    ("layer", "shape"), [("mixed", (1, 6, 64, 64)), ("pooled", (1, 6, 8, 8)), ("output", (1, 384))]
)
def test_any_layer_can_be_the_output(layer: str, shape: tuple[int, ...]) -> None:
    data = OnnxFile(MADE).with_output(layer)
    picture = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype(np.float32)
    (found,) = InferenceSession(data).run(None, {"input": picture})
    assert found.shape == shape
    if layer == "mixed":
        np.testing.assert_allclose(found[:, :3], picture, atol=1e-5)
    assert OnnxFile(data).layers == OnnxFile(MADE).layers


@given(st.binary(max_size=60) | st.integers(0, len(MADE) - 1).map(lambda stop: MADE[:stop]))
def test_bytes_that_are_no_network_are_a_value_error(data: bytes) -> None:
    with contextlib.suppress(ValueError):  # any other error would fail the test
        OnnxFile(data)


@given(st.integers(0, len(MADE) - 1), st.integers(0, 255))
def test_a_spoilt_byte_is_read_or_a_value_error(place: int, byte: int) -> None:
    spoilt = bytearray(MADE)
    spoilt[place] = byte
    with contextlib.suppress(ValueError):
        OnnxFile(bytes(spoilt)).with_output("pooled")
