"""Fused vectors say the weighted mean of what their parts say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.features.networks import both_signs, network, network_file
from tests.features.sample_pictures import encode
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.kernels.kernel import Kernel
from twinlens.features.brightness.edge_histogram import Edges
from twinlens.features.brightness.hog import Hog
from twinlens.features.brightness.pixels import Pixels
from twinlens.features.colour.colour_histogram import HsvHistogram
from twinlens.features.descriptor import Descriptor, Extractor, UnusableError, Vector
from twinlens.features.fusion import Fusion, FusionExtractor
from twinlens.features.network.network import Network
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read as read_picture
from twinlens.features.vocabulary.vlad import CompactVlad, Vlad
from twinlens.testing.descriptors import DESCRIPTOR_CONTRACTS, DescriptorContract, fitted, never, picture, sample

_SMALL = CompactVlad(dimensions=6, centres=8, samples=12, vocabulary="own")
_FOUR = Fusion(
    first=HsvHistogram(levels=1),
    second=Hog(),
    third=Edges(),
    fourth=Pixels(),
    first_weight=5,
    second_weight=0.25,
    third_weight=2,
)
_OTHERS = (
    _FOUR,
    Fusion(first=_SMALL, second=Vlad(centres=8, samples=5, vocabulary="own"), third=HsvHistogram(), second_weight=3),
    Fusion(first=Network(path=network_file(), side=64), fourth=HsvHistogram(levels=1)),
)


@pytest.mark.parametrize("contract", DESCRIPTOR_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("descriptor", _OTHERS, ids=range(len(_OTHERS)))
def test_contracts_with_other_parts(descriptor: Descriptor, contract: DescriptorContract) -> None:
    contract(descriptor)


# ---- what the weights mean -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Given(Extractor):
    """Stands for a descriptor: gives the vectors it is made with, by the picture's width."""

    vectors: dict[int, Vector]

    def extract(self, picture: Picture) -> Vector:
        return self.vectors[picture.rgb.shape[1]]

    def pack(self) -> Packed:
        return Packed(type(self).__name__, {}, {str(width): vector for width, vector in self.vectors.items()})


_X, _Z = picture(0, 40, 30), picture(0, 50, 30)
_KERNELS: tuple[Kernel, ...] = (Linear(normalise=True), Hellinger(normalise=True))


@st.composite
def _parts(draw: st.DrawFn) -> list[tuple[Kernel, float, Vector, Vector]]:
    """Draw parts: a measure, a weight and the vectors of two pictures, some of which are zero."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        kernel = draw(st.sampled_from(_KERNELS))
        rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        x, z = rng.standard_normal((2, draw(st.integers(1, 9)))).astype(np.float32)
        if kernel.non_negative:
            x, z = np.abs(x), np.abs(z)
        silent = draw(st.sampled_from(("none", "none", "x", "z", "both")))
        x, z = x * (silent not in {"x", "both"}), z * (silent not in {"z", "both"})
        found.append((kernel, draw(st.floats(0.001, 1000)), x, z))
    return found


@given(_parts())
def test_similarity_is_the_weighted_mean_of_the_parts(parts: list[tuple[Kernel, float, Vector, Vector]]) -> None:
    fusion = FusionExtractor(
        ("any",) * len(parts),
        tuple(kernel.key for kernel, *_ in parts),
        tuple(weight for _, weight, *_ in parts),
        tuple(Given({40: x, 50: z}) for _, _, x, z in parts),
    )
    x, z = fusion.extract(_X), fusion.extract(_Z)
    speaks_x, speaks_z = (sum(w for _, w, *both in parts if both[i].any()) for i in (0, 1))
    said = sum(w * kernel.pairs(a[None], b[None])[0] for kernel, w, a, b in parts)
    expected = said / np.sqrt(speaks_x * speaks_z) if speaks_x and speaks_z else 0
    assert float(x.astype(np.float64) @ z) == pytest.approx(expected, abs=2e-6)
    for vector, speaks in ((x, speaks_x), (z, speaks_z)):
        assert np.linalg.norm(vector) == pytest.approx(1 if speaks else 0, abs=1e-6)


def test_real_parts_agree_with_their_own_measures() -> None:
    extractor = fitted(_FOUR)
    assert extractor.extract(picture()).shape == (_FOUR.dimensions,)
    for seed in range(1, 4):
        one, other = picture(), picture(seed)
        mean = 0.0
        for part, weight in _FOUR.parts:
            alone = part.fit(never)
            x, z = alone.extract(one), alone.extract(other)
            mean += weight / 8.25 * part.measure.changed(normalise=True).pairs(x[None], z[None])[0]
        measure = Measure(_FOUR.measure)
        similarity = measure.similarities(measure.distances(extractor.extract(one), extractor.extract(other)[None]))
        assert similarity[0] == pytest.approx(mean, abs=1e-6)


def test_only_ratios_of_weights_count() -> None:
    twice = Fusion(first=Hog(), second=HsvHistogram(), first_weight=2, second_weight=6)
    once = Fusion(first=Hog(), second=HsvHistogram(), first_weight=1, second_weight=3)
    np.testing.assert_allclose(fitted(twice).extract(picture()), fitted(once).extract(picture()), atol=1e-7)


# ---- a part with nothing to say --------------------------------------------------------------------------------------


def _sky(level: int) -> Picture:
    """A picture without a keypoint."""
    return read_picture(encode(Image.new("RGB", (80, 60), (level, level, 250)), "PNG"))


def test_where_a_part_is_silent_the_others_speak_for_it() -> None:
    shapes = Fusion(second=HsvHistogram(levels=1), first_weight=7)
    extractor, colour = fitted(shapes), HsvHistogram(levels=1).fit(never)
    x, z = extractor.extract(_sky(120)), extractor.extract(_sky(150))
    assert not x[:512].any()
    own = Hellinger(normalise=True).pairs(colour.extract(_sky(120))[None], colour.extract(_sky(150))[None])[0]
    assert float(x @ z) == pytest.approx(own, abs=1e-6)


def test_a_part_that_speaks_of_one_picture_alone_says_that_they_are_unlike() -> None:
    both, blank = np.array([3.0, 4.0], np.float32), np.zeros(2, np.float32)
    same = Given({40: both, 50: both})
    fusion = FusionExtractor(("a", "b"), ("linear",) * 2, (2.0, 1.0), (same, Given({40: both, 50: blank})))
    assert float(fusion.extract(_X) @ fusion.extract(_Z)) == pytest.approx(np.sqrt(2 / 3))


def test_a_picture_of_which_nothing_is_said_is_zero() -> None:
    blank = np.zeros(2, np.float32)
    fusion = FusionExtractor(("a", "b"), ("linear", "hellinger"), (2.0, 1.0), (Given({40: blank}),) * 2)
    assert not fusion.extract(_X).any()


# ---- what can be a part ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["fusion", "fusion(first=hog)", {"key": "fusion"}, Fusion()])
def test_a_fusion_is_no_part_of_a_fusion(value: object) -> None:
    with pytest.raises(DeclarationError, match=r"fusion: third cannot be a fusion itself"):
        Fusion(third=value)


def test_what_compares_by_another_kernel_is_refused_with_the_reason() -> None:
    with pytest.raises(DeclarationError, match=r"second cannot be colour-layout, which .* gaussian kernel"):
        read_declaration((Fusion,), "fusion:second=colour-layout(luma=3)")
    with pytest.raises(DeclarationError, match=r"fourth cannot be colour-moments, which .* laplacian kernel"):
        Fusion(fourth="colour-moments")


def test_an_unknown_part_names_the_choices() -> None:
    with pytest.raises(DeclarationError, match=r"first must be one of colour, .*not hogg") as caught:
        Fusion(first="hogg")
    assert "colour-layout" not in str(caught.value.message)
    assert "Did you mean “hog”?" in str(caught.value.message)


def test_text_form() -> None:
    assert Fusion().text() == "fusion:first=compact-vlad(centres=64,dimensions=512),second=colour"
    written = "fusion:first=hog,second=colour(levels=3),third=edges,second_weight=0.5"
    made = read_declaration((Fusion,), written)
    assert made.third == Edges()
    assert made.text() == written
    assert read_declaration((Fusion,), "fusion:third=none") == Fusion()


def test_identity_tells_parts_and_weights_apart() -> None:
    made = [
        Fusion(),
        Fusion(second=HsvHistogram(levels=3)),
        Fusion(third=Hog()),
        Fusion(fourth=Hog()),
        Fusion(first_weight=2),
        Fusion(first=HsvHistogram(), second=CompactVlad(dimensions=512)),
    ]
    assert len({one.identity() for one in made}) == len(made)


# ---- learning, files, storage ----------------------------------------------------------------------------------------


def test_parts_learn_as_they_do_alone() -> None:
    vlad = Vlad(centres=8, samples=5, vocabulary="own", seed=3)
    made = Fusion(first=_SMALL.changed(seed=3), second=vlad, third=HsvHistogram())
    assert (made.learns, made.sample_size, made.seed) == (True, 12, 3)
    assert (Fusion().learns, Fusion().sample_size, Fusion().seed) == (False, 0, 0)
    extractor = made.fit(sample)
    alone = vlad.fit(lambda: [one for one, _ in zip(sample(), range(5), strict=False)])
    assert extractor.parts[1].pack().digest() == alone.pack().digest()


def test_a_network_without_its_file(tmp_path: Path) -> None:
    path = tmp_path / "lost.onnx"
    path.write_bytes(network(2 * both_signs()))
    fusion = Fusion(first=HsvHistogram(), second=Network(path=str(path), side=64))
    extractor = fusion.fit(never)
    assert fusion.needs_a_file
    assert not Fusion().needs_a_file
    assert str(extractor.unusable()) == ""
    path.write_bytes(network(3 * both_signs()))
    assert str(path) in str(extractor.unusable())
    path.unlink()
    assert str(path) in str(extractor.unusable())
    again = FusionExtractor.unpack(extractor.pack())
    elsewhere = again.parts[1]
    object.__setattr__(elsewhere, "digest", "0" * len(getattr(elsewhere, "digest")))  # noqa: B009 (of the subclass)
    with pytest.raises(UnusableError):
        again.extract(picture())


def test_what_is_stored_otherwise_is_refused() -> None:
    packed = fitted(_FOUR).pack()
    for wrong in (
        Packed("HogExtractor", packed.numbers, packed.arrays),
        Packed(packed.kind, {}, {}),
        Packed(packed.kind, {**packed.numbers, "keys": ["gone", "hog", "edges", "pixels"]}, packed.arrays),
        Packed(packed.kind, {**packed.numbers, "0": packed.numbers["1"]}, packed.arrays),
        Packed(packed.kind, {name: value for name, value in packed.numbers.items() if name != "0"}, packed.arrays),
    ):
        with pytest.raises(TwinlensError):
            FusionExtractor.unpack(wrong)
