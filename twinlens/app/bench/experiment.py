"""Experiment of a bench: data, methods and seeds, in a file that can be shared and repeated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from twinlens.app.bench.sweeps import every
from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request
from twinlens.core.errors import DeclarationError, InvalidError, TwinlensError
from twinlens.core.files.untrusted_input import MOST_TOML, parse_toml, read_bytes, reading
from twinlens.core.message import Message

_USUAL = ("lsh:bits=256", "itq:bits=64"), ("scan",)
_USUAL_OF_PARTITIONS = ("lsh:bits=256",), ("permuted",)
_USUAL_SHARES = (0.1,)
PEER = "faiss:"
"""Begins the text form of an index of faiss among the methods."""

_MOST = 2**31 - 1
_WRITE = Message("Write the file with the option --write of bench.")
_Counts = tuple[Annotated[int, Field(ge=1)], ...]


class Experiment(Request):
    """An experiment of ``bench`` and of the Lab.

    Attributes
    ----------
    base : str
        File of vectors, (n, d), or with ``--codes`` of packed codes, uint8 (n, bytes)
        (:func:`twinlens.core.hashing.packed_codes.pack_bits`); ``FILE::NAME`` where it holds several arrays. Empty
        where `index` is given.
    queries : str
        Likewise; those that are drawn from the base are never their own result.
    methods : tuple of str
        Also sweeps such as ``klsh:rank={16,64,256}``, and indexes of faiss, such as ``faiss:PQ16``. Empty: what is
        usual, see :meth:`complete`.
    search : tuple of str
        Each searches the codes of every method. Empty likewise.
    metric : str
        Also the name of one that the library keeps; empty for none.
    marks : tuple of int
        How many pairs are drawn for the metric by the labels, half of them similar, or how many of such a file count;
        several numbers, with `partitions` alone, for a table over them.
    truth : str
        Of an index also ``folders`` (photographs of one folder are right results of each other), ``concepts`` (those
        that surely show the same thing), ``marks`` (those that are marked similar), or ``edits`` (edited copies are the
        queries for their photograph). Empty: the metric where there is one, else the first method's measure.
    query_count : int
        How many queries are drawn, or taken from the front of those that are given; 0 for all that are given.
    partitions : int
        Above 0: the base is parted so often, and k-NN is measured by a linear scan and hashed
        (:mod:`twinlens.app.bench.partitions`). Such an experiment takes neither `queries` nor `truth`; the number of a
        partition is the seed of all that is drawn in it.
    bits, epsilons : tuple
        Empty for the methods' and structures' own.
    shares : tuple of float
        Each search, besides as it is, looks at each of these shares of what is searched.
    name, question : str
        Under which the Lab keeps it, and what it is to answer, in a sentence.
    index : str
        The index of a library whose stored vectors are the base, in place of `base`.
    """

    key = "bench"

    base: str = ""
    queries: str = parameter("", help="File of queries. Default: some vectors of the base.")
    labels: str = parameter("", help="File with a label for each vector of the base.")
    query_labels: str = parameter("", help="File with a label for each query.")
    methods: tuple[str, ...] = parameter(
        (),
        option="--method",
        help="Text form of a method, or a sweep in quotes: 'klsh:rank={16,64}'; repeat for several.",
    )
    search: tuple[str, ...] = parameter((), help="Text form or sweep of a search structure; repeat for several.")
    metric: str = parameter(
        "",
        help="Metric applied before every method: its text form, such as whitening, or a .npy or .npz file.",
    )
    pairs: str = parameter("", help="Pairs of rows to learn a metric such as itml from: .csv, .json, or (p, 3) .npy.")
    marks: _Counts = parameter(
        (),
        metavar="NUMBERS",
        separated=True,
        help="Number of pairs drawn from --labels, without --pairs. With partitions several numbers: 20,50,200.",
    )
    truth: str = parameter(
        "",
        help="l2, cosine, a kernel's text form, metric, labels, or radius:50 (all that is nearer than the average "
        "distance to neighbour 50). By default the metric, or else the first method's kernel, or l2.",
    )
    map_protocol: Literal["ranking", "candidates"] = parameter(
        "ranking",
        help="mAP is that of the whole ranking by Hamming distance. With candidates there is a second one: of the 100 "
        "nearest codes and all that tie with the last, sorted again by the projected data; what is not among them "
        "counts as not found.",
    )
    seeds: tuple[int, ...] = parameter((0,), option="--seed", help="Seed; repeat to measure every method with several.")
    query_count: int = parameter(0, ge=1, help="Number of queries.")
    k: int = parameter(1, ge=1, option="-k", help="Voting neighbours; with --codes the same as --neighbours.")
    neighbours: int = parameter(
        100, ge=1, help="Results per query. Default: 100. With fewer, exact search can skip more comparisons."
    )
    partitions: int = parameter(
        0,
        ge=1,
        help="Number of random partitions of the base into queries and searched vectors, to measure k-NN before and "
        "after the metric with standard errors. Default with one of the next options, or without pairs for --metric: "
        "10.",
    )
    labelled: int = parameter(20, ge=1, help="Items of each class to draw pairs from. Default: 20.")
    asked: int = parameter(30, ge=1, help="Queries of each class. Default: 30.")
    bits: _Counts = parameter(
        (), metavar="NUMBERS", separated=True, help="Numbers of bits for every method, such as 32,64,128."
    )
    epsilons: tuple[float, ...] = parameter(
        (),
        option="--epsilon",
        metavar="NUMBERS",
        separated=True,
        help="Epsilons for permuted lists, such as 0.5,1.5.",
    )
    shares: tuple[float, ...] = parameter(
        (),
        option="--share",
        metavar="NUMBERS",
        separated=True,
        help="Also limit each search to these shares of the searched vectors, such as 0.05,0.1. Default: 0.1.",
    )
    scaled: bool = parameter(False, help="Scale every dimension to mean 0 and variance 1 first.")
    name: str = parameter("", help="Name of the run. A stopped run with this name and plan is resumed.")
    question: str = parameter("", help="Question that the run answers, shown as its heading.")
    index: str = parameter("", help="Index with the vectors to measure, instead of a PLAN.")
    edits: tuple[str, ...] = parameter(
        (), option="--edit", help="Name of an edit, with --truth edits. Default: all usual edits."
    )

    @field_validator("*")
    @classmethod
    def _counted(cls, value: Any, about: ValidationInfo) -> Any:
        """Refuse numbers of crafted files to which nothing can count."""
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, int | float) and not 0 <= one <= _MOST:
                raise InvalidError("{name} must be from 0 to {most}", name=str(about.field_name), most=_MOST)
        return value

    def complete(self) -> Experiment:
        """Return the experiment with default methods and search structures if it names none, and without sweeps."""
        methods, search = _USUAL_OF_PARTITIONS if self.partitions else _USUAL
        shares = _USUAL_SHARES if self.partitions and not (self.search or self.epsilons) else ()
        return self.changed(
            methods=every(self.methods or methods), search=every(self.search or search), shares=self.shares or shares
        )

    def to_toml(self) -> str:
        """Return the experiment as TOML."""
        return "".join(f"{name} = {_written(getattr(self, name))}\n" for name in type(self).model_fields)


def _written(value: object) -> str:
    """Write a value as TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(_written(one) for one in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # a basic string of TOML, too
    return str(value)


def read_experiment(file: Path) -> Experiment:
    """Read an experiment file, with paths relative to it.

    Raises
    ------
    TwinlensError
        If the file is missing, not TOML, or has an unknown name.
    """
    with reading(file, Message("{file} is not an experiment", file=file), _WRITE):
        text = read_bytes(file, MOST_TOML).decode()
    return from_toml(text, file)


def from_toml(text: str, file: Path) -> Experiment:
    """Read an experiment from the text of a file, with paths relative to it.

    Raises
    ------
    TwinlensError
        If the text is not TOML, or has an unknown name.
    """
    with reading(file, Message("{file} is not an experiment", file=file), _WRITE):
        values = parse_toml(text)
    if not _names_data(values):
        raise TwinlensError(
            "{file} does not name its base.",
            'Write base = "vectors.npy", or index = "Automatic" for a library.',
            file=file,
        )
    known = {about.name: about for about in Experiment.parameters()}
    for name, value in values.items():
        if name not in known:
            raise TwinlensError(
                "{file}: unknown name “{name}”. Choose one of: {known}.",
                "Check the spelling.",
                file=file,
                name=name,
                known=", ".join(known),
            )
        if isinstance(value, list):
            values[name] = tuple(value)
        elif isinstance(value, str) and known[name].several:
            values[name] = (value,)
        elif name == "marks" and isinstance(value, int):
            values[name] = (value,) if value else ()
    for name in ("base", "queries", "labels", "query_labels", "pairs"):
        if isinstance(values.get(name), str) and values[name]:
            values[name] = str(file.parent / values[name])
    if is_file_of_metric(str(values.get("metric", ""))):
        values["metric"] = str(file.parent / values["metric"])
    try:
        return Experiment(**values)
    except DeclarationError as error:
        raise TwinlensError("{file}: {reason}", error.advice, file=file, reason=error.message) from None


def is_file_of_metric(text: str) -> bool:
    """Return whether a metric is the name of a file."""
    return Path(text).suffix.lower() in {".npy", ".npz"}


def _names_data(values: dict[str, Any]) -> bool:
    """Return whether the experiment names either a base or an index."""
    named = [values[name] for name in ("base", "index") if values.get(name)]
    return len(named) == 1 and isinstance(named[0], str)
