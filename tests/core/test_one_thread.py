"""One thread for matrix products, set back when the last is done."""

from __future__ import annotations

import threading

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from core.one_thread import one_thread


def blas_threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_it_holds_inside_and_is_set_back() -> None:
    assert np.ones(2).sum() == 2  # BLAS is loaded
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
        try:
            with one_thread():
                raise ValueError
        except ValueError:
            pass
        assert blas_threads() == {2}
