"""Data of a bench from the files of an experiment."""

from __future__ import annotations

import hashlib

import numpy as np

from app.bench.experiment import Experiment
from app.bench.vector_file import has_array
from app.bench.vector_table import read_labels, read_table
from core.errors import TwinlensError
from core.evaluation.tables import Tables, draw_queries
from core.evaluation.truth import is_dense
from core.files.tilde import expanded
from core.files.untrusted_input import reading
from core.message import Message


def load_tables(experiment: Experiment) -> Tables:
    """Read base, queries and labels from the files of an experiment; over partitions, queries are drawn later."""
    if experiment.index:
        raise TwinlensError(
            Message("The experiment measures the photos of the index “{index}”.", index=experiment.index),
            Message("Run it in the library, or export the run with its vectors."),
        )
    base = read_table(experiment.base)
    labels = read_labels(experiment.labels, base.shape[0])
    if experiment.partitions:
        return Tables(experiment.base, base, base[:0], labels=labels)
    named = experiment.queries
    if not named and has_array(experiment.base, "train") and has_array(experiment.base, "test"):
        named = f"{experiment.base}::test"  # of ann-benchmarks
    if not named:
        own = draw_queries(base.shape[0], experiment.query_count)
        return Tables(experiment.base, base, base[own], own, labels, None if labels is None else labels[own])
    queries = read_table(named)
    asks_itself = _same_file(named, experiment.base)
    if is_dense(base) != is_dense(queries):
        raise TwinlensError(
            Message("Only one of base and queries is sparse."), Message("Give both sparse or both dense.")
        )
    query_labels = read_labels(experiment.query_labels, queries.shape[0])
    if experiment.query_count:
        queries = queries[: experiment.query_count]
        query_labels = None if query_labels is None else query_labels[: experiment.query_count]
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            Message(
                "The queries have {dimensions} dimensions, the base has {base_dimensions}.",
                dimensions=queries.shape[1],
                base_dimensions=base.shape[1],
            ),
            Message("Give queries with as many dimensions as the base."),
        )
    if not asks_itself:
        return Tables(experiment.base, base, queries, None, labels, query_labels, asked=named)
    own = np.arange(queries.shape[0])
    if query_labels is None and labels is not None:
        query_labels = labels[own]
    return Tables(experiment.base, base, queries, own, labels, query_labels, asked=named)


def _same_file(name: str, other: str) -> bool:
    """Return whether two names mean the same array, whose rows are never their own results."""
    file, _, array = name.partition("::")
    other_file, _, other_array = other.partition("::")
    return array == other_array and expanded(file).resolve() == expanded(other_file).resolve()


def file_digest(name: str) -> str:
    """Return the digest of a file of arrays, named as in an experiment; empty without one."""
    if not name:
        return ""
    file = expanded(name.partition("::")[0])
    with (
        reading(file, Message("{file} cannot be read", file=file), Message("Check the name.")),
        file.open("rb") as data,
    ):
        return hashlib.file_digest(data, "sha256").hexdigest()
