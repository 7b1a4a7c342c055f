"""One thread for matrix products, set back when the last is done."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from core import arithmetic as module
from core.arithmetic import one_thread


@pytest.fixture(autouse=True)
def as_if_it_were_used_for_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    module._libraries.cache_clear()  # other tests may have loaded more
    monkeypatch.setattr(module._Inside, "threads", 1)
    assert np.ones(2) @ np.ones(2) == 2


def blas_threads() -> set[int]:
    # A library on OpenMP, as another test's peer brings, has a number for each thread that asks.
    found = [one for one in threadpool_info() if one["user_api"] == "blas" and one["threading_layer"] != "openmp"]
    return {one["num_threads"] for one in found}


def test_it_holds_inside_and_is_set_back() -> None:
    with threadpool_limits(2, "blas"):
        before = blas_threads()
        with one_thread():
            with one_thread():
                assert blas_threads() == {1}
            assert blas_threads() == {1}
        assert blas_threads() == before == {2}


def test_who_leaves_first_does_not_leave_the_other_with_one_thread_for_good() -> None:
    entered, left = threading.Event(), threading.Event()

    def other() -> None:
        with one_thread():
            entered.set()
            assert left.wait(30)

    with threadpool_limits(2, "blas"):
        thread = threading.Thread(target=other)
        with one_thread():
            thread.start()
            assert entered.wait(30)
        assert blas_threads() == {1}
        left.set()
        thread.join()
        assert blas_threads() == {2}


def test_an_error_sets_it_back() -> None:
    with threadpool_limits(2, "blas"):
        with pytest.raises(ValueError, match="meanwhile"), one_thread():
            raise ValueError("meanwhile")
        assert blas_threads() == {2}
