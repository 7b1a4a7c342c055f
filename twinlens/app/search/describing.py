"""The description of pictures in worker processes: the pictures of a query, and any others that are searched with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.decoding_tasks import WorkerTask
from twinlens.app.machine import background_work
from twinlens.app.search.describing_tasks import DescribedPicture, DescribingTask
from twinlens.app.search.query_distance import Vector
from twinlens.features.descriptor import Descriptor, Extractor
from twinlens.features.pictures.picture import Picture


def describe_in_worker(
    task: DescribingTask, load: Callable[[AbstractSet[str]], Mapping[str, Extractor]], sent: set[str]
) -> DescribedPicture:
    """Describe a picture in a worker process, and send the extractors that it lacks.

    Parameters
    ----------
    load : callable
        Loads extractors by their keys.
    sent : set of str
        Keys of the extractors that a process probably has; those that it has now are added.

    Raises
    ------
    UnreadableError
        If it cannot be described, also because its process crashed or took too long.
    """
    lacking: AbstractSet[str] = task.descriptors.keys() - sent
    while True:
        task = replace(task, extractors={**task.extractors, **load(lacking)})
        found = decoders.ask(task)
        if isinstance(found, DescribedPicture):
            sent.update(task.descriptors)
            return found
        lacking = found.keys


class Describer:
    """Describes many pictures by the same extractors, each as the library would keep it; safe for several threads.

    Parameters
    ----------
    extractors : mapping of str to (Descriptor, Extractor)
        By any keys that name their fitted extractors.
    """

    def __init__(self, extractors: Mapping[str, tuple[Descriptor, Extractor]]) -> None:
        self._descriptors = {key: declared for key, (declared, _) in extractors.items()}
        self._extractors = {key: extractor for key, (_, extractor) in extractors.items()}
        self._sent: set[str] = set()

    def vectors(self, of: WorkerTask[Picture] | Picture) -> dict[str, Vector]:
        """Return the vectors of a picture by the keys, at low priority; raises as :func:`describe_in_worker`."""
        task = DescribingTask(of, self._descriptors, with_variants=False, with_parts=False)
        with background_work.in_background():
            looked = describe_in_worker(task, lambda keys: {key: self._extractors[key] for key in keys}, self._sent)
        return {key: view.alternatives[0] for key, view in looked.views.items()}
