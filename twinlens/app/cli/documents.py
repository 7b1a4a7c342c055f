"""The documents that ``--json`` prints: which result each command gives, and the JSON schema of it.

Programs rely on these documents. A key that goes, or that means something else, raises :data:`VERSION`; one that is
added does not.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from twinlens.app.results import Result

VERSION = 1

_RESULTS = {
    "add": ("library.library_results:AddResult",),
    "advise": ("lab.advice.advice_results:AdviceResult",),
    "album add": ("library.library_results:AlbumResult",),
    "album delete": ("library.library_results:AlbumResult",),
    "album keep": ("library.library_results:AlbumResult",),
    "album list": ("library.library_results:AlbumsResult",),
    "album remove": ("library.library_results:AlbumResult",),
    "album rename": ("library.library_results:AlbumResult",),
    "backup": ("library.library_results:FileResult",),
    "bench": (
        "bench.bench_results:BenchResult",
        "bench.bench_results:CodeBenchResult",
    ),
    "check": ("library.library_results:CheckResult",),
    "compare": ("compare.comparison_results:CompareResult",),
    "copy": ("library.library_results:FileResult",),
    "demo": ("demo.demo:DemoResult",),
    "describe": ("describe:DescribeResult",),
    "desktop install": ("machine.desktop_entry:DesktopResult",),
    "desktop remove": ("machine.desktop_entry:DesktopResult",),
    "duplicates": ("duplicates.duplicate_results:DuplicatesResult",),
    "duplicates clean": (
        "disposal.disposal_results:CleaningPlan",
        "disposal.disposal_results:DisposalResult",
    ),
    "duplicates folders": ("duplicates.folder_comparison:FolderPairs",),
    "duplicates import": ("duplicates.decision_files:DecisionsResult",),
    "duplicates log": ("disposal.disposal_results:DisposalLog",),
    "duplicates only-in": ("duplicates.folder_comparison:PhotographsOnlyThere",),
    "duplicates protect": ("duplicates.duplicate_results:FolderList",),
    "duplicates refused": ("duplicates.duplicate_results:RefusedPairs",),
    "duplicates undo": ("disposal.disposal_results:RestoreResult",),
    "encode": ("encode:EncodeResult",),
    "evaluate": (
        "evaluate.evaluation:EvaluateResult",
        "evaluate.evaluation:KindsResult",
        "lab.experiments.runner:ExactResult",
    ),
    "forget": ("library.library_results:ForgetResult",),
    "index create": ("indexes.index_results:IndexListResult",),
    "index delete": ("indexes.index_results:IndexListResult",),
    "index improve": ("indexes.index_results:IndexListResult",),
    "index list": ("indexes.index_results:IndexListResult",),
    "index rename": ("indexes.index_results:IndexListResult",),
    "lab delete": ("lab.experiments.lab_results:LabRunsResult",),
    "lab export": ("library.library_results:FileResult",),
    "lab index": ("indexes.index_results:IndexStatus",),
    "lab list": ("lab.experiments.lab_results:LabRunsResult",),
    "lab open": ("lab.experiments.lab_results:LabRun",),
    "lab rename": ("lab.experiments.lab_results:LabRun",),
    "lab resume": ("lab.experiments.lab_results:LabRun",),
    "lab run": ("lab.experiments.lab_results:LabRun",),
    "lab show": ("lab.experiments.lab_results:LabRun",),
    "lab theory": ("lab.theory.theory_results:TheoryResult",),
    "learn": ("learn.learn_results:LearnedMetricUse",),
    "list": ("library.library_results:PathsResult",),
    "map": ("map.map_results:MapSummary",),
    "mark": ("marks.mark_results:MarkResult",),
    "marks export": ("marks.mark_results:MarksFileResult",),
    "marks import": ("marks.mark_results:MarkResult",),
    "marks list": ("marks.mark_results:MarksResult",),
    "marks remove": ("marks.mark_results:RemovedMarks",),
    "methods": ("methods.catalogue:MethodsResult",),
    "metrics back": ("learn.learn_results:MetricSwitch",),
    "metrics compare": ("learn.learn_results:MetricComparison",),
    "metrics delete": ("learn.learn_results:MetricListResult",),
    "metrics export": ("learn.learn_results:MetricFileResult",),
    "metrics import": ("learn.learn_results:MetricListResult",),
    "metrics list": ("learn.learn_results:MetricListResult",),
    "metrics rename": ("learn.learn_results:MetricListResult",),
    "metrics use": ("learn.learn_results:MetricSwitch",),
    "note": ("notes.own_notes_results:NotesResult",),
    "notices": ("notices:Notices",),
    "problems": ("library.library_results:ProblemsResult",),
    "rescan": ("library.library_results:AddResult",),
    "restore": ("library.library_results:FileResult",),
    "search": ("search.search_results:SearchResults",),
    "status": ("library.library_results:StatusResult",),
    "tune": ("bench.tuning:TuneResult",),
    "vocabulary drop": ("vocabulary.learned_vocabularies:VocabularyListResult",),
    "vocabulary keep": ("vocabulary.learned_vocabularies:VocabularyListResult",),
    "vocabulary learn": ("vocabulary.learned_vocabularies:VocabularyListResult",),
    "vocabulary list": ("vocabulary.learned_vocabularies:VocabularyListResult",),
    "worker": ("library.library_results:WorkerResult",),
}
"""By command the module and the class of its results, below ``twinlens.app``."""


def commands() -> list[str]:
    """Return the commands that print a document, by what one types behind ``twinlens``."""
    return list(_RESULTS)


def results_of(command: str) -> tuple[type[Result], ...]:
    """Return the classes of the results that a command may give."""
    named = (one.partition(":") for one in _RESULTS[command])
    return tuple(getattr(importlib.import_module(f"twinlens.app.{module}"), name) for module, _, name in named)


def described(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, list[tuple[str, str, str]]]]:
    """Yield the objects of a document: name, what it is, and its keys with type and meaning; the document itself first.

    Examples
    --------
    >>> [keys for _, _, keys in described(schema_of("list"))]
    [[('paths', 'list of text', 'of the photographs, the newest first; without missing ones'),
      ('missing', 'whole number', 'photographs that pass, but whose files have vanished')]]
    """
    parts = dict(schema.get("$defs", {}))
    roots = [one["$ref"].rpartition("/")[2] for one in schema.get("anyOf", ())]
    whole = {name: parts.pop(name) for name in roots} if roots else {"": schema}
    for name, one in (whole | parts).items():
        keys = [
            (key, _kind(value), value.get("description", ""))
            for key, value in one["properties"].items()
            if not key.endswith(("_message", "_messages"))
        ]
        yield name, one.get("description", ""), keys


_KINDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "object": "object"}


def _kind(schema: Mapping[str, Any]) -> str:
    """Write the type of a value for people."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_kind, schema["anyOf"])))
    if isinstance(schema.get("type"), list):
        return " or ".join(_KINDS.get(one, str(one)) for one in schema["type"])
    kind = str(schema.get("type", "any value"))
    if kind == "array":
        items = schema.get("items") or {"anyOf": schema.get("prefixItems", [{}])}
        return f"list of {_kind(items)}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {_kind(schema['additionalProperties'])}"
    return _KINDS.get(kind, kind)


def schema_of(command: str) -> dict[str, Any]:
    """Return the JSON schema (2020-12) of the documents of a command.

    Examples
    --------
    >>> schema_of("list")["properties"]["paths"]["type"]
    'array'
    """
    models = results_of(command)
    kind: Any = models[0]
    for other in models[1:]:
        kind = kind | other
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:twinlens:{command.replace(' ', '-')}:{VERSION}",
        "title": f"twinlens {command} --json",
        **TypeAdapter(kind).json_schema(),
    }
