"""Indexes of faiss as candidates to compare with: product quantization, IVF, RaBitQ, LSH, ITQ, HNSW and others.

None of them is ever an index of a library. faiss ranks by the Euclidean distance, of unit vectors where the truth is
the cosine, and of the vectors that a metric transforms; then it ranks as many candidates by the exact distance as a
hash method does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import util
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.experiment import PEER
from twinlens.app.bench.faiss_worker import FaissFigures, FaissTask
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import RECALL_CURVE, EvaluationTask, Figures
from twinlens.core.evaluation.method_evaluation import GivenRanking, depth_of, judged_rankings
from twinlens.core.evaluation.truth import euclidean_coordinates, is_dense
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.core.search.search_structure import Search
from twinlens.core.worker_process import TaskFaultError, WorkerEndError, WorkerProcess, plain

Points = npt.NDArray[np.float32]


@dataclass(frozen=True)
class FaissPeer:
    """An index of faiss as a candidate.

    Attributes
    ----------
    factory : str
        As ``faiss.index_factory`` takes it.
    parameters : str
        Of its search, such as ``nprobe=8``; empty for those that it has.
    """

    factory: str
    parameters: str = ""

    @classmethod
    def read(cls, text: str) -> FaissPeer:
        """Read the text form, ``faiss:FACTORY`` or ``faiss:FACTORY@PARAMETERS``.

        Raises
        ------
        TwinlensError
            If nothing is named.
        """
        factory, _, parameters = text.removeprefix(PEER).partition("@")
        if not factory.strip():
            raise TwinlensError(
                "“{text}” names no index of faiss.",
                "Give a factory string of faiss, such as PQ16 or OPQ16,PQ16.",
                text=text,
            )
        return cls(factory.strip(), parameters.strip())

    @property
    def key(self) -> str:
        """The family of all indexes of faiss."""
        return PEER.rstrip(":")

    @property
    def bits(self) -> int:
        """0: the bytes are known only when the index is built."""
        return 0

    def text(self) -> str:
        """Return the text form."""
        return f"{PEER}{self.factory}{'@' if self.parameters else ''}{self.parameters}"

    def identity(self) -> str:
        """Return the text form with the version of faiss."""
        return f"{self.text()} {_version()}"

    def changed(self, *, seed: int) -> FaissPeer:
        """Return itself, since faiss draws by its own seeds."""
        del seed
        return self

    def measured(self, searches: Sequence[Search], task: EvaluationTask, progress: Progress) -> Iterator[Figures]:
        """Build and search the index in a process of its own, and yield the figures of each number of candidates.

        Raises
        ------
        TwinlensError
            If faiss is not installed, the vectors are sparse, or faiss refuses.
        """
        if not is_dense(task.base):
            raise TwinlensError("faiss takes no sparse vectors.", "Give dense vectors.")
        base, queries = (euclidean_coordinates(task.distance, table) for table in (task.base, task.queries))
        depths = [depth_of(search, task) for search in searches]
        beside = 0 if task.own is None else 1  # a query of the base finds itself
        figures, given = self.ranked(base, queries, depths, beside, part(progress, 0.0, 0.75))
        yield from judged_rankings(figures, given, searches, task, part(progress, 0.75, 1.0))

    def ranked(
        self, base: Points, queries: Points, depths: Sequence[int], beside: int, progress: Progress
    ) -> tuple[Figures, GivenRanking]:
        """Build and search the index, and return seconds, bytes, and the ranking of every query.

        Parameters
        ----------
        base, queries : ndarray of float32, (n, d) and (q, d)
        depths : sequence of int
            How many are asked for, of each of which a query is timed.
        beside : int
            How many more, since they do not count.
        progress : Progress
            What it raises ends the process.
        """
        if util.find_spec("faiss") is None:
            raise TwinlensError(
                "faiss is not installed here.", "Install it into the environment of Twinlens: pip install faiss-cpu."
            )
        n = len(base)
        retrieved = {depth: min(n, depth + beside) for depth in depths}
        task = FaissTask(
            self.factory,
            self.parameters,
            base,
            queries,
            rows=min(n, max(*retrieved.values(), max(RECALL_CURVE) + beside)),
            depths=sorted(set(retrieved.values())),
        )
        found = self._measured(task, progress)
        figures = Figures(
            {
                "seconds fit": found.fit, "seconds encode": found.encode, "seconds build": 0.0,
                "seconds encode_query": 0.0, "bytes model": found.model, "bytes codes": found.codes, "bytes search": 0,
            }
        )  # fmt: skip
        seconds = {depth: found.seconds[count] for depth, count in retrieved.items()}
        return figures, GivenRanking(found.rows, seconds, found.scanned)

    def _measured(self, task: FaissTask, progress: Progress) -> FaissFigures:
        doing = Message("Measuring {name}", name=self.text())
        process = WorkerProcess(plain)
        try:
            found: FaissFigures = process.run(task, lambda *_: progress(0, 1, doing))
        except (WorkerEndError, TaskFaultError):
            raise TwinlensError(
                "The process of faiss ended before it was done, perhaps for want of memory.",
                "Close other programs, or give fewer vectors.",
            ) from None
        finally:
            process.stop()
        return found


def _version() -> str:
    try:
        return version("faiss-cpu")
    except PackageNotFoundError:
        return ""
