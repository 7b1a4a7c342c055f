"""Principal components of a plane, where there are none too."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.embedding.principal_plane import pca_plane


@pytest.mark.parametrize("shape", [(300, 40), (300, 500), (600, 200)])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_rows_that_are_all_equal_lie_in_one_place(shape: tuple[int, int], value: float) -> None:
    assert not np.any(pca_plane(np.full(shape, value, np.float32)))
