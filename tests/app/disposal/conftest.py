"""A world of photographs that may be moved away."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.disposal.moved_world import World


@pytest.fixture(scope="session")
def made_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a world that is made once, with a copy of its photographs beside them."""
    made = World(tmp_path_factory.mktemp("world")).make()
    shutil.copytree(made.photos, made.photos.with_name("unmoved"))
    return made


@pytest.fixture
def world(made_world: World, tmp_path: Path) -> World:
    """Return a world as it was made, where it was made, and its library in the test's folder."""
    shutil.rmtree(made_world.photos)
    shutil.copytree(made_world.photos.with_name("unmoved"), made_world.photos)
    return World(made_world.photos.parent, Path(shutil.copy(made_world.path, tmp_path)))
