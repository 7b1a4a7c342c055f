"""Results of the commands about a library as a whole, as ``--json`` writes them."""

from __future__ import annotations

from pydantic import Field

from twinlens.app.indexes.index_results import IndexStatus
from twinlens.app.results import PhotographPath, Result
from twinlens.core.message import Message


class AddResult(Result):
    """Result of ``add`` and ``rescan``."""

    found: int = Field(description="photographs under the folders")
    added: int = Field(description="photographs that are new")
    changed: int = Field(description="photographs whose file had changed")
    moved: int = Field(description="photographs recognised by content at a new place")
    removed: int = Field(description="photographs whose file has vanished; kept and marked missing")
    problems: int = Field(description="files that could not be read in this run")
    unreadable: int = Field(
        default=0, description="files in these folders that could not be read, in this run or before, and not set aside"
    )
    passed_over: int = Field(description="files that are no pictures")
    seconds: float
    photographs_per_second: float
    cancelled: bool = Field(default=False, description="stopped before the end; what was done is kept")
    pending: int = Field(default=0, description="photographs that are still to be read; adding again goes on")
    to_prepare: int = Field(
        default=0, description="photographs that can be searched, but not compared point by point yet; rescan goes on"
    )
    offline: list[str] = Field(default_factory=list, description="folders whose volume is not there")
    not_used: list[Message] = Field(default_factory=list, description="machines of a cluster that differ, and how")
    read_here: int = Field(default=0, description="photographs that the cluster could not reach, read on this machine")


class WorkerResult(Result):
    """Result of ``worker``."""

    scheduler: str = Field(description="its address")
    photographs: int = Field(description="files read for it")
    scheduler_gone: bool = Field(description="whether the scheduler ended, and not the person")


class ForgetResult(Result):
    """Result of ``forget``."""

    folder: str
    photographs: int = Field(description="photographs taken out of the library; the files are untouched")


class ClusterStatus(Result):
    """A cluster that reads photographs of a library now."""

    address: str = Field(description="of its scheduler, or local:N for N processes of the machine that uses it")
    by: str = Field(description="which program uses it: its process, machine, and since when")


class FolderStatus(Result):
    """One folder in ``status``."""

    path: str
    photographs: int
    present: bool = Field(description="whether its volume is there now")
    excludes: list[str]


class StatusResult(Result):
    """Result of ``status``."""

    library: str
    server: str | None = Field(default=None, description="the hosts that answer; None where the library is a file")
    cluster: ClusterStatus | None = Field(default=None, description="that reads its photographs now; None for none")
    writable: bool = Field(default=True, description="false where it can only be read")
    photographs: int
    pending: int
    to_prepare: int = Field(
        default=0, description="photographs that can be searched, but not compared point by point yet; rescan goes on"
    )
    problems: int
    missing: int
    passed_over: int
    folders: list[FolderStatus]
    indexes: list[IndexStatus]
    bytes: int = Field(description="of the library file, or of its tables")
    bytes_thumbnails: int


class Problem(Result):
    """One file that could not be read."""

    path: PhotographPath
    reason: Message
    next_step: Message
    since: str
    attempts: int
    ignored: bool = False


class ProblemsResult(Result):
    """Result of ``problems``."""

    problems: list[Problem]
    retried: int = 0
    mended: int = 0
    passed_over: list[PhotographPath] | None = Field(
        default=None, description="paths of the files that are no pictures, where they were asked for"
    )


class CheckResult(Result):
    """Result of ``check``."""

    library: str
    findings: list[Message] = Field(description="a sentence or two each; empty where all is well")
    sentences: list[Message] = Field(default_factory=list, description="the findings without what to do about them")
    repairable: int = Field(default=0, description="findings that `--repair` mends")
    damaged: int = Field(default=0, description="findings of damage; the others say what is not computed yet")
    repaired: list[Message] = Field(default_factory=list, description="what was mended, a sentence each")
    kept: str | None = Field(default=None, description="where the library lies as it was before the repair")


class FileResult(Result):
    """Result of ``backup``, ``restore`` and ``copy``."""

    file: str = Field(description="or the address of a server, without a password")
    photographs: int
    bytes: int
    kept: str | None = Field(default=None, description="where the library that was replaced lies now")


class ExportResult(Result):
    """Result of exporting photographs."""

    target: str = Field(description="folder of the copies or links, or file of the table")
    photographs: int = Field(description="photographs that were exported")
    bytes: int = Field(description="that were written")
    refused: list[str] = Field(default_factory=list, description="a sentence for each that could not be exported")


class AlbumStatus(Result):
    """An album."""

    name: str
    photographs: int = Field(description="that it has now")
    search: dict[str, str] | None = Field(
        default=None, description="the filters by which it finds them anew; None where they were chosen"
    )
    created: str
    paths: list[PhotographPath] | None = Field(
        default=None, description="of its photographs, where they were asked for; without those that are missing"
    )
    missing: int | None = Field(
        default=None, description="photographs whose files have vanished, where paths were asked for"
    )


class AlbumsResult(Result):
    """Result of ``album list``."""

    albums: list[AlbumStatus] = Field(description="by name")


class PathsResult(Result):
    """Result of ``list``."""

    paths: list[PhotographPath] = Field(description="of the photographs, the newest first; without missing ones")
    missing: int = Field(description="photographs that pass, but whose files have vanished")


class AlbumResult(Result):
    """Result of the commands that change an album."""

    name: str
    photographs: int | None = Field(description="that it has now; None where it was deleted")
    changed: int = Field(description="contents that came into it or left it")
