"""The house: no imports that lead back, and no name of a class that stands for two things."""

from __future__ import annotations

import ast

import pytest

from tools import house


@pytest.fixture(scope="module")
def sources() -> dict[str, ast.Module]:
    return house.sources()


def test_no_module_imports_itself_by_way_of_others(sources: dict[str, ast.Module]) -> None:
    assert house.find_circle(house.imports(sources)) == []


def test_the_name_of_a_class_stands_for_one_thing(sources: dict[str, ast.Module]) -> None:
    assert {name: where for name, where in house.classes(sources).items() if len(where) > 1} == {}


def test_types_and_functions_can_close_a_circle() -> None:
    texts = {
        "shapes.edge": "from shapes.vertex import Vertex\n",
        "shapes.face": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shapes import edge\n",
        "shapes.vertex": "class Vertex: pass\nclass _Hidden: pass\n",
    }
    assert house.find_circle(house.imports({name: ast.parse(text) for name, text in texts.items()})) == []
    texts["shapes.vertex"] += "def faces():\n    import shapes.face\n"
    sources = {name: ast.parse(text) for name, text in texts.items()}
    assert set(house.find_circle(house.imports(sources))) == texts.keys()
    assert house.classes(sources) == {"Vertex": ["shapes.vertex"]}
