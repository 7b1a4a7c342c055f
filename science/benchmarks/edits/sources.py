"""Source pictures of the yardstick: photographs to find again, pictures to paste them into, and distractors.

They are split by photograph: no crop of a photograph is among the distractors of another crop. The vocabulary that
comes with Twinlens was learned from the demo photographs, so photographs that it has never seen are counted apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from science.papers.data_set import distinct, papers_folder, read_package
from twinlens.app.demo.package_sources import PackageSource
from twinlens.app.demo.photographs import fetch_photographs
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read

SIDE = 1024
"""Pixels of the longer side, at most, at which photographs are edited."""

HOSTS = 12
"""Photographs that others are pasted into; they and what is cut out of them are nowhere else."""

_SEED = 20_261_121
_PICTURES = (".jpg", ".jpeg", ".png", ".webp")


def _below(folder: str, *without: str) -> Callable[[str], bool]:
    return lambda path: (
        path.startswith(folder) and path.lower().endswith(_PICTURES) and not any(part in path for part in without)
    )


def _named(folder: str, names: str) -> Callable[[str], bool]:
    below, known = _below(folder, "/screenshot", "images_dark"), set(names.split())
    return lambda path: (
        below(path) and not known.isdisjoint({path.rpartition("/")[2].rpartition(".")[0], *path.split("/")})
    )


UNSEEN = {
    "opencv-doc": (
        "usr/share/doc/opencv-doc/examples/data/",
        (
            "aero1 aloeL apple baboon basketball1 blox board box building butterfly chicky_512 fruits graf1 home "
            "leuvenA messi5 orange rubberwhale1 smarties squirrel_cls starry_night stuff"
        ),
    ),
    "plasma-workspace-wallpapers": (
        "usr/share/wallpapers/",
        (
            "Autumn BytheWater ColdRipple ColorfulCups DarkestHour EveningGlow FallenLeaf Grey Kite OneStandsOut "
            "PastelHills Path summer_1am"
        ),
    ),
    "mate-backgrounds": (
        "usr/share/backgrounds/mate/nature/",
        "Aqua Blinds Dune FreshFlower Garden GreenMeadow LadyBird RainDrops Storm TwoWings Wood YellowFlower",
    ),
    "lomiri-wallpapers-20.04": (
        "usr/share/backgrounds/",
        "Fossa_by_Jasper_Roks Infinite-Sea_by_Aury88 Kleiber_by_Lukas_Baubkus Painting-Colors_by__herobrine7gamer",
    ),
}
"""Photographs that no vocabulary was learned from: folder, and names without what follows them."""

OTHERS = {
    "stellarium-data": _below("usr/share/stellarium/nebulae/default/"),
    "tuxpaint-stamps-default": _below("usr/share/tuxpaint/stamps/", "symbols/"),
}
"""Pictures of other things."""


@dataclass(frozen=True)
class Sources:
    """Files by their part.

    Attributes
    ----------
    seen, unseen : tuple of Path
        Photographs to find again: of the demo, and others.
    cut : tuple of Path
        Photographs of the demo that others are cut out of.
    """

    seen: tuple[Path, ...]
    unseen: tuple[Path, ...]
    hosts: tuple[Path, ...]
    cut: tuple[Path, ...]
    others: tuple[Path, ...]


def sources(progress: Progress, debian: PackageSource | None = None) -> Sources:
    """Fetch what is missing; a package that cannot be had is left out, and said.

    Near-duplicates are left out: of two only the first is there.
    """
    kept = papers_folder() / "edits" / "sources.json"
    if kept.is_file():
        return Sources(**{part: tuple(map(Path, files)) for part, files in json.loads(kept.read_text()).items()})
    fetched = fetch_photographs(progress)
    demo = sorted(fetched.folder / one.path for one in fetched.photographs)
    unseen = [
        file
        for name, (folder, names) in UNSEEN.items()
        for file in _largest(_files(name, _named(folder, names), progress, debian))
    ]
    others = [file for name, wanted in OTHERS.items() for file in _files(name, wanted, progress, debian)]
    together = [*demo, *unseen]
    single = [together[row] for row in distinct(np.stack([_small(file) for file in together]))]
    photographs = [file for file in single if file in set(demo)]
    order = [photographs[row] for row in np.random.default_rng(_SEED).permutation(len(photographs))]
    half = (len(order) - HOSTS) // 2
    found = Sources(
        seen=tuple(order[HOSTS : HOSTS + half]),
        unseen=tuple(file for file in single if file not in set(demo)),
        hosts=tuple(order[:HOSTS]),
        cut=tuple(order[HOSTS + half :]),
        others=tuple(others),
    )
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps({part: [str(file) for file in files] for part, files in vars(found).items()}))
    return found


def open_picture(file: Path) -> Picture:
    """Read a picture at the size at which it is edited."""
    return read(file.read_bytes(), file.name, side=SIDE)


def _files(name: str, wanted: Callable[[str], bool], progress: Progress, debian: PackageSource | None) -> list[Path]:
    folder = papers_folder() / "pictures" / name
    if not folder.is_dir():
        try:
            files = read_package(name, wanted, progress, debian).files
        except TwinlensError as error:
            print(f"Without {name}: {error.message!s}")
            return []
        making = folder.with_name(f".{name}.new")
        for path, data in files.items():
            target = making / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        making.rename(folder)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _largest(files: list[Path]) -> list[Path]:
    """Of the sizes of one wallpaper keep the largest file."""
    best: dict[Path, Path] = {}
    for file in files:
        key = file.parent if file.parent.name == "images" else file
        if key not in best or file.stat().st_size > best[key].stat().st_size:
            best[key] = file
    return list(best.values())


def _small(file: Path) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.resize(open_picture(file).grey, (16, 16), interpolation=cv2.INTER_AREA), np.float64).ravel()
