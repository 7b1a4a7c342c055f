"""Files of what is decided about duplicates: a table and a document that come back, and a shell script that moves.

The table of ``duplicates --csv`` and the document of ``duplicates --json`` say of each photograph whether it goes; a
person may change that in any editor. The script moves what a plan names into a folder, by ``mv`` that replaces nothing,
and does nothing else: it needs no Twinlens, and reads as a list.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from twinlens.app.disposal.disposal_plan import DisposalPlan
from twinlens.app.duplicates.decisions import keep_choices
from twinlens.app.duplicates.duplicate_results import DuplicateMember, DuplicatesResult, KeptPhotograph
from twinlens.app.duplicates.duplicates import known_duplicates
from twinlens.app.duplicates.groups import DuplicateKind
from twinlens.app.duplicates.keeper_rules import Fate, KeeperRules
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import NO, YES, CsvTable, OutputFile, read_table, table
from twinlens.app.results import Result
from twinlens.core.files.untrusted_input import expanded, parse_json, read_bytes, reading, shown
from twinlens.core.message import Message

HEADINGS = ("group", "kind", "remove", "path", "width", "height", "bytes", "format", "taken", "camera", "differs")
TABLE = table(HEADINGS)
_KEPT = "keep"


def write_groups_table(found: DuplicatesResult, file: OutputFile) -> None:
    """Write groups as CSV.

    Raises
    ------
    TwinlensError
        If the file cannot be written, or must not be replaced.
    """
    with file.opened_text(TABLE) as out:
        rows = CsvTable(out)
        rows.writerow(HEADINGS)
        for number, group in enumerate(found.groups, 1):
            rows.writerow(_row(number, _KEPT, group.keeper))
            for one in group.members:
                rows.writerow(_row(number, one.kind, one, one.goes, "; ".join(map(str, one.differs))))


def _row(
    number: int, kind: str, one: KeptPhotograph | DuplicateMember, goes: bool = False, differs: str = ""
) -> tuple[object, ...]:
    facts = (one.path, one.width, one.height, one.bytes, one.format, one.taken or "", one.camera or "")
    return (number, kind, int(goes), *facts, differs)


class DecisionsResult(Result):
    """The result of ``duplicates import``."""

    changed: int = Field(description="photographs that are decided otherwise now")
    same: int = Field(description="photographs that were decided so before")
    refused: list[Message] = Field(
        description="a sentence for each path that is no duplicate, and each group that would lose all"
    )


class _Decision(NamedTuple):
    """What a line says of a photograph."""

    path: str
    goes: bool
    leads: bool


def import_decisions(library: Library, file: Path, rules: KeeperRules | None = None) -> DecisionsResult:
    """Keep what a file decides otherwise than the list of duplicates does now.

    Parameters
    ----------
    file : Path
        ``.csv`` as :func:`write_groups_table` writes it, of which the columns ``path`` and ``remove`` count, and
        ``kind`` where it is ``keep``; or ``.json`` as ``duplicates --json`` prints it.
    rules : KeeperRules, optional
        By default those of the library.

    Raises
    ------
    TwinlensError
        If the file cannot be read, or is no such file.
    """
    wanted = {one.path: one for one in _read(file)}
    choices: dict[int, Fate | None] = {}
    refused: list[Message] = []
    same = 0
    for group in known_duplicates(library, rules).groups:
        going = {each.photograph.id for each in group.members if each.goes}
        named = [(each, wanted.pop(shown(each.path), None)) for each in group.photographs]
        if all(each.id in going if one is None else one.goes for each, one in named):
            path = shown(group.keeper.path)
            refused.append(Message("The file removes {path} and all of its copies. One stays as it was.", path=path))
            continue
        for each, one in named:
            if one is None:
                continue
            if one.leads and each.id != group.keeper.id:
                choices[each.id] = Fate.BEST
            elif one.goes != (each.id in going):
                choices[each.id] = Fate.GOES if one.goes else Fate.STAYS
            else:
                same += 1
    refused += [Message("{path} is no duplicate of another photo of this library.", path=path) for path in wanted]
    keep_choices(library, choices)
    return DecisionsResult(changed=len(choices), same=same, refused=refused)


_MOST = 1 << 28  # bytes
_FORM = Message("Use a file of `twinlens duplicates --csv FILE`, or of `twinlens duplicates --json`.")


def _read(file: Path) -> list[_Decision]:
    name = shown(os.fsencode(file))
    with reading(name, Message("{file} cannot be read", file=name), _FORM):
        data = read_bytes(expanded(file), _MOST)
        return list(_of_document(data.decode("utf-8-sig")) if file.suffix.lower() == ".json" else _of_table(data))


def _of_table(data: bytes) -> Iterator[_Decision]:
    headings, rows = read_table(data)
    if not {"path", "remove"} <= set(headings):
        raise ValueError("it has not the columns path and remove")
    for row in rows:
        said = row["remove"].strip()
        if said.lower() not in YES | NO:
            raise ValueError(f"“{said}” in the column remove is neither 0 nor 1")
        goes = said.lower() in YES
        yield _Decision(row["path"], goes, row.get("kind") == _KEPT and not goes)


def _of_document(text: str) -> Iterator[_Decision]:
    document = parse_json(text)
    groups = document.get("groups") if isinstance(document, dict) else None
    if not isinstance(groups, list):
        raise ValueError("it has no groups")
    for group in groups:
        keeper, members = (group.get(name) if isinstance(group, dict) else None for name in ("keeper", "members"))
        if not isinstance(keeper, dict) or not isinstance(members, list):
            raise ValueError("a group has no keeper or no members")
        yield _Decision(_path(keeper), goes=False, leads=True)
        for one in members:
            if not isinstance(one, dict) or not isinstance(one.get("goes"), bool):
                raise ValueError("of a member it is not said whether it goes")
            yield _Decision(_path(one), goes=one["goes"], leads=False)


def _path(photograph: Mapping[str, object]) -> str:
    path = photograph.get("path")
    if not isinstance(path, str):
        raise ValueError("a photograph has no path")
    return path


_SCRIPT = """\
#!/bin/sh
# Made by Twinlens. It moves the copies below into a folder, each to the path there that it has now, and does nothing
# else: nothing is removed or replaced, and a copy whose kept photograph is gone, or that is no longer identical to it,
# stays. Run it with the folder: sh {name} FOLDER
set -u
case ${{1:?name the folder that the copies move to}} in
    /*) to=$1 ;;
    *) to=$PWD/$1 ;;
esac
left=0
# move KIND KEPT COPY FILES_BESIDE_IT...
move() {{
    kind=$1 kept=$2
    shift 2
    if [ ! -f "$kept" ] || [ ! -f "$1" ]; then
        printf 'left: %s\\n' "$1" >&2
        left=1
        return
    fi
    if [ "$kind" = {identical} ] && ! cmp -s -- "$kept" "$1"; then
        printf 'changed, left: %s\\n' "$1" >&2
        left=1
        return
    fi
    for file in "$@"; do
        if [ -e "$to$file" ] || [ -L "$to$file" ]; then
            printf 'there already, left: %s\\n' "$file" >&2
            left=1
        else
            mkdir -p -- "$to${{file%/*}}" && mv -n -- "$file" "$to$file" || left=1
        fi
    done
}}
"""
SCRIPT = re.compile(rb"#!/bin/sh\n# Made by Twinlens\. It moves the copies")


def write_script(plan: DisposalPlan, file: OutputFile) -> None:
    """Write a plan as a shell script, which moves its files into a folder that whoever runs it names.

    Raises
    ------
    TwinlensError
        If the file cannot be written, or must not be replaced.
    """
    head = _SCRIPT.format(name=shlex.quote(file.path.name), identical=DuplicateKind.IDENTICAL.value)
    lines = [
        " ".join(["move", shlex.quote(one.choice.kind), *map(_quoted, (one.kept_path, one.path, *beside))])
        for one in plan.files
        for beside in [[each.path for each in one.companions if each.moves_to is None]]
    ]
    file.write(os.fsencode("\n".join([head + lines[0] if lines else head, *lines[1:], "exit $left", ""])), SCRIPT)


def _quoted(path: bytes) -> str:
    return shlex.quote(os.fsdecode(path))
