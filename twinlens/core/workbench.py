"""The mathematics for scripts and notebooks: declare, fit, encode, search.

``from twinlens import workbench`` gives all of it, and what measures (:func:`twinlens.workbench.bench`). A text form
names everything there is: ``declare("klsh:kernel=chi-square,rank=64")`` is a hash method,
``declare("gaussian:gamma=0.5", "kernel").matrix(x, z)`` a kernel, ``declare("whitening", "metric").fit(x)`` a metric,
``declare("buckets", "search")`` a search structure, ``declare("pq:bytes=8", "quantizer").fit(x)`` a quantizer, whose
``nearest`` ranks its codes by tables. `twinlens methods` lists them with their parameters, and
``estimator`` makes one a step of a pipeline of scikit-learn. What takes long has a ``progress`` argument that may raise
``Cancelled``.

Examples
--------
>>> import numpy as np
>>> from twinlens.core.workbench import declare, encoder_of_arrays, encoder_to_arrays, nearest_codes
>>> x = np.random.default_rng(0).normal(size=(2100, 16)) * np.linspace(2, 0.1, 16)
>>> base, queries = x[100:], x[:100]
>>> encoder = declare("itq:bits=16").fit(base)
>>> codes = encoder.encode(base)
>>> rows, distances = nearest_codes(codes, encoder.encode(queries), 10)
>>> rows.shape, codes.shape, codes.dtype
((100, 10), (2000, 2), dtype('uint8'))
>>> again = encoder_of_arrays(encoder_to_arrays(encoder))
>>> bool((again.encode(queries) == encoder.encode(queries)).all())
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import Declaration, find_member, parse_text_form
from twinlens.core.declaration.family import Family
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import DeclarationError, InvalidError, TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.method_under_metric import unpack_encoder
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.methods import METHODS
from twinlens.core.metrics import METRICS
from twinlens.core.metrics.metric import Metric
from twinlens.core.quantization import QUANTIZERS
from twinlens.core.quantization.quantizer import Quantizer
from twinlens.core.search import SEARCHES
from twinlens.core.search.search_structure import CodeSearch, Search

__all__ = ["declare", "encoder_of_arrays", "encoder_to_arrays", "estimator", "nearest_codes"]

_ENCODER = "encoder"
"""Name of the array that describes an encoder; its own arrays follow it behind a dot."""


FamilyName = Literal["method", "metric", "kernel", "search", "quantizer"]
_EVERY: tuple[Family[Any], ...] = (METHODS, METRICS, KERNELS, SEARCHES, QUANTIZERS)
_FAMILIES: dict[str, Family[Any]] = {family.name: family for family in _EVERY}


@overload
def declare(text: str, family: Literal["method"] = "method") -> HashMethod: ...
@overload
def declare(text: str, family: Literal["metric"]) -> Metric: ...
@overload
def declare(text: str, family: Literal["kernel"]) -> Kernel: ...
@overload
def declare(text: str, family: Literal["search"]) -> Search: ...
@overload
def declare(text: str, family: Literal["quantizer"]) -> Quantizer: ...


def declare(text: str, family: FamilyName = "method") -> Declaration:
    """Read the text form of a hash method, or of another family.

    Parameters
    ----------
    text : str
        Such as ``itq:bits=128``.
    family : str
        ``method``, ``metric``, ``kernel``, ``search`` or ``quantizer``; its class is what type checkers see.

    Raises
    ------
    DeclarationError
        If the family has no such member, or a parameter is wrong.
    """
    key, values = parse_text_form(text)
    if family not in _FAMILIES:
        raise DeclarationError(
            "There is no family “{family}”.", "Choose one of {families}.", family=family, families=list(_FAMILIES)
        )
    members = _FAMILIES[family]
    if members.member(key) is None:
        elsewhere = _family_of(key)
        if elsewhere is not None:
            raise DeclarationError(
                "“{key}” is not in the family {family}, but in {elsewhere}.",
                'Name its family: declare("{text}", "{elsewhere}").',
                key=key,
                family=family,
                elsewhere=elsewhere,
                text=text,
            )
    made: Declaration = find_member(members, key)(**values)
    return made


def _family_of(key: str) -> Any:
    """Return the name of the family that has a key; None where there is none."""
    return next((name for name, one in _FAMILIES.items() if one.member(key) is not None), None)


def estimator(declared: str | Declaration) -> Any:
    """Return a hash method or metric as an estimator of scikit-learn; see :mod:`twinlens.core.estimators`.

    Raises
    ------
    TwinlensError
        If it is neither, or scikit-learn is not installed.
    """
    from twinlens.core.estimators import estimator_of

    if isinstance(declared, str):
        declared = declare(declared, _family_of(parse_text_form(declared)[0]) or "method")
    return estimator_of(declared)


def nearest_codes(
    codes: npt.NDArray[np.uint8], queries: npt.NDArray[np.uint8], k: int, search: str | CodeSearch = "scan"
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Find the nearest codes by Hamming distance.

    Parameters
    ----------
    codes, queries : ndarray of uint8, (n, bytes) and (q, bytes)
        As ``encode`` gives them.
    search : str or CodeSearch
        A search structure; all but the scan may miss some, and then end with -1.

    Returns
    -------
    rows : ndarray of int64, (q, min(k, n))
        Ordered by (distance, row).
    distances : ndarray of int64, (q, min(k, n))
        Number of bits that differ; -1 where there is no row.
    """
    structure = declare(search, "search") if isinstance(search, str) else search
    if not isinstance(structure, CodeSearch):
        raise TwinlensError("“{search}” searches no codes.", "Choose another, such as scan.", search=structure.key)
    built = structure.build(planar(codes), 8 * codes.shape[1])
    shape = len(queries), min(k, len(codes))
    rows, distances = np.full(shape, -1, np.int64), np.full(shape, -1, np.int64)
    for number, code in enumerate(np.ascontiguousarray(planar(queries).T)):
        found = built.candidates(code, shape[1])
        rows[number, : len(found.rows)], distances[number, : len(found.rows)] = found.rows, found.distances
    return rows, distances


def encoder_to_arrays(encoder: Encoder) -> dict[str, npt.NDArray[Any]]:
    """Return an encoder as named arrays, which ``numpy.savez`` keeps without pickle."""
    packed = encoder.pack()
    about = json.dumps({"kind": packed.kind, "numbers": packed.numbers}, sort_keys=True)
    return {_ENCODER: np.array(about), **{f"{_ENCODER}.{name}": array for name, array in packed.arrays.items()}}


def encoder_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> Encoder:
    """Restore an encoder from the arrays of :func:`encoder_to_arrays`; other arrays are passed over.

    Raises
    ------
    InvalidError
        If there is no encoder among them.
    TwinlensError
        If it is of another version of the program.
    """
    try:
        about = json.loads(str(arrays[_ENCODER]))
        kind, numbers = str(about["kind"]), dict(about["numbers"])
    except (KeyError, TypeError, ValueError):
        raise InvalidError("it holds no encoder") from None
    own = {name.removeprefix(f"{_ENCODER}."): arrays[name] for name in arrays if name.startswith(f"{_ENCODER}.")}
    return unpack_encoder(Packed(kind, numbers, own))
