"""Machines that join a cluster, without any machine: what they answer is made up."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from app.library.cluster import cluster, machine
from app.library.cluster.cluster import Newcomers
from app.library.cluster.machine import Introduction
from app.library.workers.worker_pool import WorkerLimits


@dataclass
class Answer:
    """A future that is done."""

    answer: object
    status = "finished"

    def done(self) -> bool:
        return True

    def result(self) -> object:
        return self.answer


def test_a_machine_is_there_however_long_this_one_takes_for_the_trial_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    answers = {"introduce": Introduction("archive", 2, machine.package_versions()), "prepare": {"facts": "1"}}

    def ours(*_: object) -> dict[str, str]:
        now[0] += 1000
        return {"facts": "1"}

    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(cluster, "submit", lambda client, machines, name, *_, **__: Answer(answers[name]))
    monkeypatch.setattr(Newcomers, "_ours", ours)
    asked = Newcomers(SimpleNamespace(nthreads=lambda: {"tcp://archive:1": 1}), "key", {}, WorkerLimits())
    for _ in range(3):
        asked.look(lambda: None)
    assert list(asked.ready) == ["tcp://archive:1"]
    assert now[0] == 1000
    assert asked.alone_s() == 0
