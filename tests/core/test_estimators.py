"""Estimators keep scikit-learn's conventions, by its own checks, and learn what their declarations learn."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn", reason="scikit-learn, which estimators are for, is not installed")

from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

from twinlens.core.declaration.declaration import Declaration  # noqa: E402
from twinlens.core.errors import TwinlensError  # noqa: E402
from twinlens.core.hashing.hash_method import HashMethod  # noqa: E402
from twinlens.core.hashing.packed_codes import unpack_bits  # noqa: E402
from twinlens.core.methods import METHODS  # noqa: E402
from twinlens.core.metrics import METRICS  # noqa: E402
from twinlens.core.workbench import declare, estimator  # noqa: E402

OF_MATRICES = {"bilinear-sik", "bilinear-lsh", "bilinear-itq"}  # the checks' vectors cannot be laid out as matrices
EVERY: list[type[Declaration]] = [cls for cls in (*METHODS, *METRICS) if cls.key not in OF_MATRICES]


def classes(count: int = 240, apart: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, count)
    return np.abs(rng.normal(size=(4, 12)) * apart)[labels] + rng.random((count, 12)), labels


@pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.key)
def test_the_checks_of_scikit_learn(cls: type[Declaration]) -> None:
    declared = cls().changed(bits=2) if issubclass(cls, HashMethod) else cls()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the checks' own inputs
        results = check_estimator(estimator(declared), on_fail=None, on_skip=None)
    failed = {one["check_name"]: str(one["exception"]) for one in results if one["status"] == "failed"}
    assert len(results) > 40
    assert not failed


@pytest.mark.parametrize("text", ["itq:bits=8", "kpca-itq:bits=8,landmarks=60", "lda-itq:bits=3", "klsh:bits=16"])
def test_an_estimator_learns_what_its_declaration_learns(text: str) -> None:
    x, labels = classes(apart=0.5)
    declared = declare(text)
    made = estimator(text).fit(x)
    assert (made.encode(x) == declared.fit(x.astype(np.float32)).encode(x)).all()
    assert (made.transform(x) == unpack_bits(made.encode(x), declared.bits)).all()
    assert len(made.get_feature_names_out()) == made.transform(x).shape[1]
    again = pickle.loads(pickle.dumps(made))
    assert (again.transform(x) == made.transform(x)).all()
    fresh = clone(made)
    assert not hasattr(fresh, "encoder_")
    assert (fresh.fit(x, labels).encode(x) != made.encode(x)).any() == declared.supervised


def test_a_grid_is_searched_over_parameters_and_kernels() -> None:
    x, labels = classes(apart=0.5)
    found = GridSearchCV(
        make_pipeline(estimator("klsh:rank=16"), KNeighborsClassifier(3, metric="hamming")),
        {"klshestimator__bits": [4, 64], "klshestimator__kernel": ["gaussian", "chi-square"]},
        cv=3,
        error_score="raise",
    ).fit(x, labels)
    assert found.best_params_["klshestimator__bits"] == 64
    assert len(found.cv_results_["params"]) == 4


def test_a_metric_is_learned_from_labels() -> None:
    x, labels = classes(apart=0.4)
    x[:, 0] *= 40.0  # tells nothing, and hides the rest

    def share(*steps: Any) -> float:
        model = make_pipeline(*steps, KNeighborsClassifier(4)).fit(x[:160], labels[:160])
        return float(model.score(x[160:], labels[160:]))

    assert share(estimator("itml")) > share() + 0.1


@pytest.mark.parametrize("text", ["itq:bits=8", "itml"])
def test_what_is_not_fitted_says_so(text: str) -> None:
    with pytest.raises(NotFittedError):
        estimator(text).transform(classes()[0])


def test_what_is_no_estimator_and_what_is_no_parameter() -> None:
    with pytest.raises(TwinlensError, match="neither a hash method nor a metric"):
        estimator("scan")
    with pytest.raises(TypeError, match="no parameter"):
        type(estimator("lsh"))(bit=3)
    for key in OF_MATRICES:
        with pytest.raises(ValueError, match="cannot be laid out as a matrix"):
            estimator(key).fit(np.ones((90, 3)))
        assert estimator(key).set_params(bits=4).fit(classes()[0]).transform(classes()[0]).shape == (240, 4)
    with pytest.raises(ValueError, match="at most as many bits"):
        estimator("itq:bits=64").fit(np.random.default_rng(0).normal(size=(90, 4)))
