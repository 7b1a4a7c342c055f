from __future__ import annotations

import pytest

from twinlens.core.declaration import reference_page
from twinlens.core.declaration.declaration import Declaration, read_declaration
from twinlens.core.kernels import KERNELS
from twinlens.core.methods import METHODS
from twinlens.core.methods.itq import Itq
from twinlens.core.search import SEARCHES
from twinlens.core.search.linear_scan import Scan

EVERYTHING: tuple[type[Declaration], ...] = (*METHODS, *KERNELS, *SEARCHES)


def test_a_page() -> None:
    assert reference_page.page(Scan) == (
        "# Scan (`scan`)\n\n"
        "Compares the query with every code, and ranks the nearest by the exact measure.\n\n"
        "It looks at every code, at the speed at which memory is read: a million codes of 256 bits in a few\n"
        "milliseconds. Choose it unless a library is far larger than that.\n\n"
        "## Parameters\n\n"
        "- `candidates`: a whole number from 1 to 1,000,000; 1000 items by default. How many of the nearest codes are\n"
        "  ranked by the exact measure. More finds more of the true neighbours, and takes longer.\n"
        "- `asymmetric`: true or false; false by default. Choose the candidates from eight times as many by an\n"
        "  asymmetric distance: a bit that differs counts as much as the query's projection is large. It finds more "
        "of\n"
        "  the true neighbours with the same codes.\n\n"
        "## Written\n\n"
        "`scan`, which is `scan:candidates=1000,asymmetric=false`\n\n"
        "Version 1.\n"
    )


def test_a_page_without_parameters_and_paper() -> None:
    class Bare(Declaration):
        """Has nothing to choose. Choose it in tests."""

        key = "bare"
        title = "Bare"

    assert "It has no parameters." in reference_page.page(Bare)
    assert "## Paper" not in reference_page.page(Bare)


@pytest.mark.parametrize("cls", EVERYTHING, ids=lambda cls: cls.key)
def test_lines_stay_narrow_and_examples_read_back(cls: type[Declaration]) -> None:
    page = reference_page.page(cls)
    written = page.index("## Written")
    assert all(len(line) <= 110 for line in page[:written].splitlines())
    assert read_declaration((cls,), reference_page.whole_text(cls())) == cls()
    assert f"`{reference_page.whole_text(cls())}`" in page[written:]


def test_the_whole_text_names_every_parameter() -> None:
    assert [piece.split("=")[0] for piece in reference_page.whole_text(Itq()).removeprefix("itq:").split(",")] == [
        about.name for about in Itq.parameters()
    ]
