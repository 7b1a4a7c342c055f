"""Words as a text network sees them: near the pictures that they name, and a sentence for what is not as it must be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.features.networks import PAIR_SIDE, tokenizer, write_pair
from twinlens.core.errors import TwinlensError
from twinlens.features.network import text_network
from twinlens.features.network.network import Network, NetworkExtractor
from twinlens.features.network.network_file import Preprocessing, find_beside, text_names
from twinlens.features.network.onnx_file import Value, model, node
from twinlens.features.network.text_network import TextNetwork
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.query.words_and_colours import Phrase, accepts_words, lacking_for_words
from twinlens.testing.descriptors import never

COLOURS = {"red": (220, 30, 20), "green": (20, 200, 40), "blue": (30, 20, 210)}


def picture(colour: tuple[int, int, int], height: int = 40, width: int = 60) -> Picture:
    return Picture(np.full((height, width, 3), colour, np.uint8), None, PictureFacts("PNG", width, height))


def fitted(image: Path, **values: Any) -> NetworkExtractor:
    return Network(path=str(image), **values).fit(never)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pair(tmp_path_factory.mktemp("pair"))


@pytest.mark.parametrize(
    ("image", "text", "room"),
    [
        ("vision_model.onnx", "text_model.onnx", None),
        ("vision_model_quantized.onnx", "text_model_quantized.onnx", 12),
        ("model.onnx", "model.onnx", None),
    ],
)
def test_words_are_nearest_to_the_pictures_that_they_name(
    tmp_path: Path, image: str, text: str, room: int | None
) -> None:
    declared = Network(path=str(write_pair(tmp_path, image, text, room)))
    extractor = declared.fit(never)
    assert (declared.dimensions, extractor.side) == (3, PAIR_SIDE)
    seen = {name: extractor.extract(picture(colour)) for name, colour in COLOURS.items()}
    for name in COLOURS:
        vector = declared.text_network().vector(f"A {name.upper()} thing", 3)
        assert max(seen, key=lambda other: float(vector @ seen[other])) == name


def test_words_beyond_what_it_takes_are_left_out(tmp_path: Path) -> None:
    network = Network(path=str(write_pair(tmp_path, room=4))).text_network()
    np.testing.assert_array_equal(network.vector("red red red red blue", 3), [4, 0, 0])
    np.testing.assert_array_equal(network.vector("blue", 3), [0, 0, 1])


def test_the_tokenizer_says_how_words_are_cut_and_filled(tmp_path: Path) -> None:
    network = Network(path=str(write_pair(tmp_path))).text_network()
    np.testing.assert_array_equal(network.vector("red " * 90, 3), [77, 0, 0])
    own = {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
    padded = {"strategy": {"Fixed": 5}, "direction": "Right", "pad_id": 2, "pad_type_id": 0, "pad_token": "green"}
    said = tokenizer() | {"truncation": own, "padding": padded | {"pad_to_multiple_of": None}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(said), encoding="utf-8")
    np.testing.assert_array_equal(network.vector("red " * 90, 3), [5, 0, 0])
    np.testing.assert_array_equal(network.vector("blue", 3), [0, 0, 1])  # what only fills does not count


# ---- the files -------------------------------------------------------------------------------------------------------


def test_files_one_folder_above_onnx_are_found(tmp_path: Path) -> None:
    image = write_pair(tmp_path / "onnx")
    for name in ("tokenizer.json", "preprocessor_config.json"):
        (image.parent / name).rename(tmp_path / name)
    assert Network(path=str(image)).text_network().tokenizer == str(tmp_path / "tokenizer.json")
    assert Preprocessing.beside(str(image)).resampling == "bicubic"
    assert find_beside(str(image), ["no.json"]) is None


@pytest.mark.usefixtures("trial_process")
def test_files_can_be_named(tmp_path: Path) -> None:
    image = write_pair(tmp_path / "one", text="words.onnx")
    (tmp_path / "one" / "tokenizer.json").rename(tmp_path / "cut.json")
    declared = Network(
        path=str(image), text_path=str(image.with_name("words.onnx")), tokenizer_path=str(tmp_path / "cut.json")
    )
    declared.fit(never)
    assert accepts_words(declared)
    assert not accepts_words(Network(path=str(image)))


@pytest.mark.parametrize(
    ("lost", "named"), [("text_model.onnx", "text_model.onnx"), ("tokenizer.json", "tokenizer.json")]
)
def test_a_file_that_is_missing_is_named(tmp_path: Path, lost: str, named: str) -> None:
    image = write_pair(tmp_path)
    (tmp_path / lost).unlink()
    assert named in str(lacking_for_words(Network(path=str(image))))


def test_without_the_package_that_reads_words(pair: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_network, "find_spec", lambda _: None)
    declared = Network(path=str(pair))
    assert "tokenizers is not installed" in str(lacking_for_words(declared))
    declared.fit(never)  # pictures are compared all the same


def test_other_descriptors_know_no_words() -> None:
    assert "knows no words" in str(lacking_for_words(Network()))


@pytest.mark.parametrize("content", [b"", b"{", b'{"model": 3}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_tokenizer_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    image = write_pair(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(TwinlensError, match="no tokenizer that can be read"):
        Network(path=str(image)).text_network().vector("red", 3)


@pytest.mark.usefixtures("trial_process")
def test_networks_that_do_not_belong_together_are_a_sentence(pair: Path, tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match="gives 3 numbers for words, and its image network 4"):
        Network(path=str(pair)).text_network().vector("red", 4)
    with pytest.raises(TwinlensError, match=r"takes no words: its inputs are pixel_values"):
        TextNetwork(str(pair), str(pair.with_name("tokenizer.json"))).vector("red", 3)
    other = tmp_path / "four.onnx"
    pooled = [node("GlobalAveragePool", ["pixel_values"], "pooled"), node("Flatten", ["pooled"], "flat")]
    pooled.append(node("Concat", ["flat", "flat"], "twice", axis=1))
    other.write_bytes(model(pooled, [], [Value("pixel_values", (1, 3, 16, 16))], [Value("twice", (1, 6))]))
    with pytest.raises(TwinlensError, match="do not belong together"):
        fitted(
            other, text_path=str(pair.with_name("text_model.onnx")), tokenizer_path=str(pair.parent / "tokenizer.json")
        )


def test_the_likeliest_names_come_first() -> None:
    assert text_names("/a/vision_model_int8.onnx")[0] == "text_model_int8.onnx"
    assert text_names("/a/any.onnx") == ["text_model.onnx"]


# ---- how pictures are wanted -----------------------------------------------------------------------------------------


def said(folder: Path, **values: Any) -> Preprocessing:
    (folder / "preprocessor_config.json").write_text(json.dumps(values), encoding="utf-8")
    return Preprocessing.beside(str(folder / "vision_model.onnx"))


def test_what_an_export_says_of_its_pictures_is_followed(tmp_path: Path) -> None:
    clip: dict[str, Any] = {"image_mean": [0.48, 0.46, 0.41], "image_std": [0.27, 0.26, 0.28], "resample": 3}
    size = {"size": {"shortest_edge": 224}, "crop_size": {"height": 336, "width": 336}, "do_center_crop": True}
    expected = Preprocessing(336, "crop", "bicubic", (0.48, 0.46, 0.41), (0.27, 0.26, 0.28))
    assert said(tmp_path, **clip, **size) == expected
    siglip = said(tmp_path, size={"height": 384, "width": 384}, resample=2, image_mean=[0.5] * 3, image_std=[0.5] * 3)
    assert siglip == Preprocessing(384, "stretch", "area", (0.5,) * 3, (0.5,) * 3)
    assert said(tmp_path, size=256, do_normalize=False).mean == (0, 0, 0)


@pytest.mark.parametrize(
    "values",
    [{"image_mean": [1e9] * 3}, {"image_std": [0, 0, 0]}, {"size": -4}, {"size": [1, 2]}, {"image_mean": "no"}],
)
def test_what_nobody_means_is_as_usual(tmp_path: Path, values: dict[str, Any]) -> None:
    assert said(tmp_path, **values) == Preprocessing()
    (tmp_path / "preprocessor_config.json").write_bytes(b"[" * 200_000)
    assert Preprocessing.beside(str(tmp_path / "vision_model.onnx")) == Preprocessing()


def test_what_is_declared_comes_before_what_a_file_says(pair: Path) -> None:
    beside, own = fitted(pair), fitted(pair, mean_red=0.25, resampling="area")
    assert (beside.mean, beside.resampling) == ((0, 0, 0), "bicubic")
    assert (own.mean, own.resampling) == ((0.25, 0, 0), "area")


def test_resizing_is_pillow_s_where_bicubic_is_wanted(pair: Path) -> None:
    from PIL import Image

    rgb: npt.NDArray[np.uint8] = np.random.default_rng(0).integers(0, 256, (90, 60, 3), dtype=np.uint8)
    planes = fitted(pair).planes(Picture(rgb, None, PictureFacts("PNG", 60, 90)))
    small = Image.fromarray(rgb[15:75]).resize((PAIR_SIDE, PAIR_SIDE), Image.Resampling.BICUBIC)
    np.testing.assert_allclose(planes, np.asarray(small, np.float32).transpose(2, 0, 1) / 255, atol=1e-6)


def test_phrases_are_one_line_and_say_something() -> None:
    assert Phrase(" a\n dog ").text == "a dog"
    for text in ("", " \n", "a" * 1_001):
        with pytest.raises(TwinlensError):
            Phrase(text)
