"""Keeper rules: criteria, in the person's order, that choose which copy is kept, with the reason in words."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from twinlens.app.duplicates.sidecar_files import SidecarFile
from twinlens.app.library.library import Library
from twinlens.app.machine.disk import FileStatus
from twinlens.app.notes.sidecar_names import SidecarKind
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import Message
from twinlens.features.pictures.picture import FILM, Metadata
from twinlens.storage.library.store import Transaction

_SETTING = "duplicate rules"
_COPY_NAME = re.compile(
    r"^(copy( \d+)? of|kopie( \d+)? von|copie( \d+)? de|copia( \d+)? de)\b"  # as file managers name copies
    r"|(\(\d+\)|(?<=\w)~\d+|(?<=\d) \d{1,2})$"
    r"|([ _-]+\(?|\()(copy|kopie|copie|copia|edited|edit|bearbeitet|small|web|thumb|resized|compressed)\)?[ _-]*\d*$",
    re.IGNORECASE,
)
_ORIGINAL = {"RAW": 3, "TIFF": 2, "HEIC": 2, "JPEG": 1}
_OF_CAMERAS = frozenset({"HEIC"})  # as phones write it, with their name in it; programs make it of JPEG


class Fate(StrEnum):
    """A person's decision about a photograph."""

    GOES = "goes"
    STAYS = "stays"
    BEST = "best"
    """Of its copies this one is kept."""


Fates = Mapping[int, Fate]
"""By the ids of photographs."""


@dataclass(frozen=True)
class KeeperCandidate:
    """A photograph that may be kept.

    Attributes
    ----------
    content : bytes
    path : bytes
        In full.
    changed_ns : int
        When the file was last changed.
    stays : bool
        Whether it lies in a folder whose photographs are always kept, or is a film.
    place : str or None
        Where it was taken; empty where its file has no place, None where that is not known yet.
    beside : tuple of SidecarFile
        The sidecar files that are part of it.
    damaged : bool
        Whether its file has rotted, or was copied badly: it lacks a part, or another photograph shows it.
    derived : bool
        Whether its file was made from another photograph that is there: compressed again, made smaller or larger.
    metadata : Metadata or None
        What else its file says and holds; None where that is not known yet.
    own : int
        How many notes its owner has given it.
    file : FileStatus or None
        Of what lies at its path; None where nothing does, or nobody has looked.
    """

    id: int
    content: bytes
    path: bytes
    width: int
    height: int
    bytes: int
    format: str
    taken: str | None
    camera: str | None
    changed_ns: int
    stays: bool = False
    place: str | None = None
    beside: tuple[SidecarFile, ...] = ()
    damaged: bool = False
    derived: bool = False
    metadata: Metadata | None = None
    own: int = 0
    file: FileStatus | None = None

    @property
    def statement_count(self) -> int:
        """The number of statements: date, camera, place, rating, label, keywords, title, caption; and its owner's."""
        more = self.metadata or Metadata()
        camera = self.taken is not None, self.camera is not None, bool(self.place)
        return self.own + sum((*camera, *map(bool, (more.rating, more.label, more.keywords, more.title, more.caption))))

    @property
    def is_film(self) -> bool:
        """Whether it is a film, of which only the first frame is known."""
        return self.format == FILM

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link to a file elsewhere, as far as anybody has looked."""
        return self.file is not None and self.file.is_link

    def is_one_file_with(self, other: KeeperCandidate) -> bool:
        """Return whether two paths are names of one file, as far as anybody has looked."""
        own, its = self.file, other.file
        return own is not None and its is not None and own.file_number == its.file_number

    @property
    def inside(self) -> int:
        """The number of contents of its file beside the picture: a film, another picture."""
        return 0 if self.metadata is None else self.metadata.film + self.metadata.gain_map

    @property
    def name(self) -> str:
        """The name of the file without its ending."""
        return stem(self.path)

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return plain(self.path.decode("utf-8", "replace").rpartition("/")[0].rpartition("/")[2])


@dataclass(frozen=True)
class KeeperCriterion:
    """A criterion that speaks for a copy.

    Attributes
    ----------
    title : Message
        In a list of rules.
    reason : Message
        Of the one that is kept: “Kept: …”.
    value : callable
        The value of a candidate; the larger one is better.
    in_full : callable, optional
        Returns the reason where it depends on the kept one and on the others.
    """

    key: str
    title: Message
    reason: Message
    value: Callable[[KeeperCandidate], Any]
    in_full: Callable[[KeeperCandidate, Sequence[KeeperCandidate]], Message] | None = None

    def reason_for(self, best: KeeperCandidate, others: Sequence[KeeperCandidate]) -> Message:
        """Return the reason why one is kept rather than the others."""
        return self.reason if self.in_full is None else self.in_full(best, others)


def _earliness(one: KeeperCandidate) -> tuple[bool, float]:
    """Return how early a photograph was taken, negative; one without a date counts as later than all others."""
    if one.taken is None:
        return False, 0.0
    digits = re.sub(r"\D", "", one.taken)[:14].ljust(14, "0")
    return True, -float(digits)


def _originality(one: KeeperCandidate) -> int:
    """Return how likely a photograph of a format was saved by a camera or scanner, rather than by a program."""
    if one.format in _OF_CAMERAS and one.camera is None:
        return _ORIGINAL["JPEG"]
    return _ORIGINAL.get(one.format, 0)


_HAS = {
    SidecarKind.FILM: Message("has its film"),
    SidecarKind.EDITS: Message("has its edits"),
    SidecarKind.VOICE: Message("has its voice note"),
    SidecarKind.NOTES: Message("has its notes"),
}


def _has_beside(best: KeeperCandidate, others: Sequence[KeeperCandidate]) -> Message:
    """Return the most telling sort of companions that one has and another lacks."""
    if any(best.inside > one.inside for one in others):
        return Message("holds more than the picture")
    own = [one.sort for one in best.beside]
    lacking = [
        sort for sort in _HAS if any(own.count(sort) > [o.sort for o in one.beside].count(sort) for one in others)
    ]
    return _HAS[lacking[0]] if lacking else _HAS[own[0]]


CRITERIA: tuple[KeeperCriterion, ...] = (
    KeeperCriterion(
        "first",
        Message("Not made from another file"),
        Message("the file that others were made from"),
        lambda one: not one.derived,
    ),
    KeeperCriterion(
        "companions",
        Message("Has its film, edits and notes"),
        Message("has its film, edits and notes"),
        lambda one: len(one.beside) + one.inside,
        _has_beside,
    ),
    KeeperCriterion(
        "dated",
        Message("Has date, camera, place, rating and keywords"),
        Message("has most of date, camera, place, stars and keywords"),
        lambda one: one.statement_count,
    ),
    KeeperCriterion("largest", Message("Largest"), Message("largest"), lambda one: one.width * one.height),
    KeeperCriterion(
        "original",
        Message("Original format"),
        Message("original format"),
        _originality,
    ),
    KeeperCriterion(
        "named",
        Message("Original file name"),
        Message("original file name"),
        lambda one: _COPY_NAME.search(one.name) is None,
    ),
    KeeperCriterion("oldest", Message("Oldest date"), Message("oldest date"), _earliness),
    KeeperCriterion(
        "finest",
        Message("Least compressed"),
        Message("least compressed"),
        lambda one: round(20 * math.log(max(1, one.bytes) / max(1, one.width * one.height))),
    ),
    KeeperCriterion("earliest", Message("Oldest file"), Message("oldest file"), lambda one: -one.changed_ns),
)
"""All criteria, in their order by default."""

YOUR_CHOICE = Message("your choice")
"""The reason of a photograph that a person chose."""

_BY_KEY = {one.key: one for one in CRITERIA}


def stem(path: bytes) -> str:
    """Return the name of a file without its ending."""
    return path.decode("utf-8", "replace").rpartition("/")[2].rpartition(".")[0]


@dataclass(frozen=True)
class KeeperRules:
    """The criteria that choose the copy to keep, in their order.

    Attributes
    ----------
    order : tuple of str
        Keys of `CRITERIA`, the one that counts most first; those left out do not count, but for companions, which
        then count last.
    last : tuple of str
        Folders whose copies go first, by name or path: “Backup”, “Photos/Downloads”, “/media/stick”.
    preferred : tuple of str
        Folders whose copies stay, by name or path, the most preferred one first.
    """

    order: tuple[str, ...] = tuple(one.key for one in CRITERIA)
    last: tuple[str, ...] = ()
    preferred: tuple[str, ...] = ()

    @classmethod
    def of_text(cls, text: str) -> KeeperRules:
        """Read rules: “largest,oldest,prefer:Photos,never:Backup”; a name with a comma as “"never:Rome, 2019"”.

        Raises
        ------
        TwinlensError
            If there is no such rule.
        """
        order: list[str] = []
        folders: dict[str, list[str]] = {"prefer": [], "never": []}
        words = (one.strip() for row in csv.reader(io.StringIO(text, newline=""), skipinitialspace=True) for one in row)
        for word in filter(None, words):
            kind, colon, folder = word.partition(":")
            if colon and kind in folders and not folder.strip():
                raise TwinlensError(
                    "The rule “{word}” names no folder.", "Write the folder behind it: {word}Backup.", word=word
                )
            if colon and kind in folders:
                folders[kind].append(folder.strip())
            elif word in _BY_KEY:
                order.append(word)
            else:
                raise TwinlensError(
                    "There is no rule “{word}”.",
                    "Choose from: {rules}, prefer:FOLDER and never:FOLDER.",
                    word=word,
                    rules=list(_BY_KEY),
                )
        last, preferred = (tuple(dict.fromkeys(folders[kind])) for kind in ("never", "prefer"))
        return cls(tuple(dict.fromkeys(order)) or cls().order, last, preferred)

    def text(self) -> str:
        """Write them as :meth:`of_text` reads them."""
        text = io.StringIO(newline="")
        folders = *(f"prefer:{name}" for name in self.preferred), *(f"never:{name}" for name in self.last)
        csv.writer(text).writerow((*self.order, *folders))
        return text.getvalue().removesuffix("\r\n")

    @cached_property
    def criteria(self) -> tuple[KeeperCriterion, ...]:
        """Return the criteria that count, in their order; first of all that a photograph is whole and a file."""
        whole = KeeperCriterion("whole", Message("Not damaged"), Message("not damaged"), lambda one: not one.damaged)
        itself = KeeperCriterion(
            "itself", Message("A file, no link"), Message("a file, no link"), lambda one: not one.is_link
        )
        stays = KeeperCriterion(
            "stays", Message("Protected folders"), Message("in a protected folder"), lambda o: o.stays
        )
        named = KeeperCriterion(
            "folder", Message("Better folder"), Message("in the better folder"), self._of_folder, _of_better_folder
        )
        order = dict.fromkeys((*self.order, "companions"))
        folders = (named,) if self.last or self.preferred else ()
        return (whole, itself, stays, *folders, *(_BY_KEY[key] for key in order))

    def _of_folder(self, one: KeeperCandidate) -> int:
        """Return the rank of a photograph by the folders that it lies in."""
        preferred = (at for at, name in enumerate(self.preferred) if lies_in(one.path, name))
        return -next(preferred, len(self.preferred) + any(lies_in(one.path, name) for name in self.last))

    def check_folders(self, folders: Iterable[bytes]) -> None:
        """Check that photographs lie in the folders that the rules name.

        Parameters
        ----------
        folders : iterable of bytes
            Full paths of folders, of all those in which photographs lie.

        Raises
        ------
        TwinlensError
            If none lies in one of them.
        """
        within = [folder.rstrip(b"/") + b"/" for folder in folders]
        for name in (*self.preferred, *self.last):
            if not any(lies_in(one, name) for one in within):
                raise TwinlensError(
                    "No photo of the library lies in a folder “{folder}”.",
                    "Name a folder of the library by its name or path.",
                    folder=name,
                )


def lies_in(path: bytes, name: str) -> bool:
    """Return whether a path lies in a folder, named by its name, the end of its path, or its whole path."""
    folders = path.decode("utf-8", "replace").casefold().rpartition("/")[0] + "/"
    wanted = name.casefold().rstrip("/") + "/"
    return folders.startswith(wanted) if wanted.startswith("/") else f"/{wanted}" in folders


def _of_better_folder(best: KeeperCandidate, others: Sequence[KeeperCandidate]) -> Message:
    return Message("in the better folder, “{folder}”", folder=best.folder)


@dataclass(frozen=True)
class Keeper:
    """The copy that is kept.

    Attributes
    ----------
    reasons : tuple of Message
        What it has that the others lack; empty where nothing tells them apart.
    """

    best: KeeperCandidate
    reasons: tuple[Message, ...]


class KeeperRanks:
    """The ranks of photographs by rules and a person's decisions, each computed once.

    Parameters
    ----------
    chosen : mapping of int to Fate
        The decisions of the person, which come before every rule.
    """

    def __init__(self, rules: KeeperRules, chosen: Fates) -> None:
        self._criteria, self._chosen = rules.criteria, chosen
        self._values: dict[int, tuple[Any, ...]] = {}

    def values(self, one: KeeperCandidate) -> tuple[Any, ...]:
        """Return the value of a photograph by each criterion."""
        found = self._values.get(one.id)
        if found is None:
            found = self._values[one.id] = tuple(each.value(one) for each in self._criteria)
        return found

    def rank(self, one: KeeperCandidate) -> tuple[Any, ...]:
        """Return the rank of a photograph: the person's decision, then the criteria; a larger one is better."""
        fate = self._chosen.get(one.id)
        return (fate is Fate.BEST, fate is not Fate.GOES, *self.values(one))

    def keeper(self, copies: Sequence[KeeperCandidate], among: bytes) -> Keeper:
        """Choose which of some copies is kept.

        Parameters
        ----------
        among : bytes
            The content against which all others were confirmed: one of its photographs is kept.
        """
        ordered = sorted((one for one in copies if one.content == among), key=lambda one: (one.path, one.id))
        best = max(ordered, key=self.rank)
        if self._chosen.get(best.id) is Fate.BEST:
            return Keeper(best, (YOUR_CHOICE,))
        others = [one for one in copies if one is not best and self._chosen.get(one.id) is not Fate.GOES]
        own, theirs = self.values(best), [self.values(one) for one in others]
        reasons: list[Message] = []
        for at, each in enumerate(self._criteria):
            others_have = [one[at] for one in theirs]
            if others_have and min(others_have) < own[at] >= max(others_have):
                reasons.append(each.reason_for(best, others))
        return Keeper(best, tuple(reasons[:_REASONS]))


_REASONS = 2  # that are given, at most


def saved_rules(r: Transaction) -> KeeperRules:
    """Return the rules that a library keeps."""
    text = r.settings.get(_SETTING, "")
    try:
        return KeeperRules.of_text(text) if isinstance(text, str) else KeeperRules()
    except TwinlensError:  # of another version
        return KeeperRules()


def keep_rules(library: Library, rules: KeeperRules) -> None:
    """Keep rules in a library."""
    with library.store.writing("keeping rules") as w:
        w.settings.put(_SETTING, rules.text())
