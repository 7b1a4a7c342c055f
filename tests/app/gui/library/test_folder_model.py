"""The tree of folders: what it shows, and that it stays as it is while numbers change."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTreeView
from pytestqt.qtbot import QtBot

from app.gui.side_panel.side_panel import PATH, FolderModel, SidePanel
from app.library.browsing import FolderNode
from tests.app.gui.looking import part

NODES = [
    FolderNode("a", "/a", 0, 9, True, True),
    FolderNode("2023", "/a/2023", 1, 5, True, False),
    FolderNode("May", "/a/2023/May", 2, 2, True, False),
    FolderNode("2024", "/a/2024", 1, 4, True, False),
    FolderNode("b", "/b", 0, 3, False, True),
]


def tree(side: SidePanel) -> tuple[QTreeView, FolderModel]:
    return part(side, QTreeView), part(side, FolderModel)


def test_folders_stand_below_those_they_lie_in(qtbot: QtBot) -> None:
    model = FolderModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_folders(NODES, 12)

    def below(parent: QModelIndex) -> list[tuple[object, object, list[object]]]:
        rows = range(model.rowCount(parent))
        return [
            (index.data(), index.siblingAtColumn(1).data(), list(below(index)))
            for index in (model.index(row, 0, parent) for row in rows)
        ]

    assert below(QModelIndex()) == [
        ("All photos", "12", []),
        ("a", "9", [("2023", "5", [("May", "2", [])]), ("2024", "4", [])]),
        ("⏏ b (offline)", "3", []),
    ]
    assert model.index_of("/a/2023/May").data(PATH) == "/a/2023/May"
    assert not model.index_of("/c").isValid()
    assert tester.model() is model


def test_the_chosen_folder_and_the_open_ones_stay_while_photographs_are_added(qtbot: QtBot) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.show_folders(NODES, 12)
    view, model = tree(side)
    view.expand(model.index_of("/a"))
    view.expand(model.index_of("/a/2023"))
    view.setCurrentIndex(model.index_of("/a/2023/May"))
    told = []
    side.changed.connect(lambda: told.append(side.folder()))

    side.show_folders([replace(one, photographs=7) for one in NODES], 30)
    assert model.index_of("/a/2023").siblingAtColumn(1).data() == "7"
    side.show_folders([*NODES, FolderNode("c", "/c", 0, 1, True, True)], 13)

    assert side.folder() == "/a/2023/May"
    assert view.isExpanded(model.index_of("/a/2023"))
    assert model.index_of("/c").isValid()
    assert told == []

    side.show_folders(NODES[-1:], 3)
    assert side.folder() is None


def test_the_tree_grows_with_what_is_added_and_stays_where_it_was(qtbot: QtBot) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.resize(216, 700)
    side.show()
    side.show_folders(NODES[:1], 9)
    view, model = tree(side)
    small = view.height()

    def seen(path: str) -> bool:
        return view.viewport().rect().contains(view.visualRect(model.index_of(path)))

    many = [FolderNode(f"f{n}", f"/f{n}", 0, n, True, True) for n in range(8)]
    side.show_folders([*NODES[:1], *many], 37)
    qtbot.waitUntil(lambda: view.height() > small and all(seen(one.path) for one in many))

    side.resize(216, 420)
    more = [FolderNode(f"g{n:02}", f"/g{n:02}", 0, n, True, True) for n in range(60)]
    side.show_folders([*NODES[:1], *many, *more], 99)
    view.setCurrentIndex(model.index_of("/f3"))
    view.verticalScrollBar().setValue(30)
    side.show_folders([*NODES, *many, *more], 99)
    assert view.verticalScrollBar().value() == 30
    assert side.folder() == "/f3"


def test_where_the_chosen_folder_is_gone_everything_is_chosen_and_that_is_told(qtbot: QtBot) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.show_folders(NODES, 12)
    view, model = tree(side)
    view.setCurrentIndex(model.index_of("/b"))
    told = []
    side.changed.connect(lambda: told.append(side.folder()))
    side.show_folders(NODES[:4], 9)
    assert told == [None]
