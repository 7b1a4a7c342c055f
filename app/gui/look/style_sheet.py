"""The style sheet of the whole program, in the colours of a theme."""

from __future__ import annotations

from app.gui.look.theme import Theme


def style_sheet(now: Theme) -> str:
    """Write it."""
    return f"""
        QLabel#quiet {{ color: {now.quiet}; }}
        QLabel#title {{ font-size: 16px; font-weight: 600; }}
        QWidget#rail {{ background: {now.paper}; border-right: 1px solid {now.line}; }}
        QWidget#side {{ background: {now.paper}; border-right: 1px solid {now.line}; }}
        QWidget#facts {{ background: {now.paper}; border-left: 1px solid {now.line}; }}
        QWidget#head {{ background: {now.paper}; border-bottom: 1px solid {now.line}; }}
        QWidget#status {{ background: {now.paper}; border-top: 1px solid {now.line}; }}
        QWidget#page {{ background: {now.paper}; }}

        QPushButton, QComboBox {{
            border: 1px solid {now.line}; border-radius: 14px; padding: 0 14px; min-height: 26px;
            background: {now.paper}; color: {now.ink};
        }}
        QPushButton:hover, QComboBox:hover {{ border-color: {now.accent}; }}
        QPushButton:focus, QComboBox:focus {{ border-color: {now.accent}; }}
        QPushButton:pressed {{ background: {now.well}; }}
        QPushButton:disabled {{ color: {now.quiet}; border-color: {now.line}; }}
        QPushButton#main, QPushButton:default {{
            background: {now.accent}; color: {now.paper}; border-color: {now.accent};
        }}
        QPushButton#main:hover, QPushButton#main:focus {{ border: 2px solid {now.ink}; }}
        QPushButton#link, QToolButton#link {{
            border: 0; padding: 0 2px; color: {now.accent}; background: transparent; min-height: 20px;
        }}
        QPushButton#link:hover, QPushButton#link:focus {{ text-decoration: underline; }}
        QPushButton#small {{ min-height: 20px; border-radius: 11px; padding: 0 10px; }}
        QPushButton:checked {{ background: {now.well}; border-color: {now.accent}; }}

        QLineEdit#filter {{ border-radius: 14px; min-height: 20px; padding: 3px 14px; }}

        QTreeView, QListView, QTableView {{ border: 0; background: {now.paper}; outline: 0; }}
        QTreeView#folders::item, QTreeView#choices::item, QListView::item {{ padding: 4px 2px; border-radius: 4px; }}
        QListView::item:selected, QTreeView#choices::item:selected {{
            background: {now.well}; color: {now.ink};
        }}
        QTreeView#folders {{
            show-decoration-selected: 1; selection-background-color: {now.well}; selection-color: {now.ink};
        }}
        QTreeView#folders::item:selected {{ background: {now.well}; color: {now.ink}; border-radius: 0; }}
        QTreeView#folders::branch:selected {{ background: {now.well}; }}
        QHeaderView::section {{
            background: {now.paper}; color: {now.quiet}; border: 0; border-bottom: 1px solid {now.line}; padding: 4px;
        }}

        QMenu {{ background: {now.paper}; border: 1px solid {now.line}; padding: 4px; }}
        QMenu::item {{ padding: 5px 24px 5px 16px; border-radius: 4px; }}
        QMenu::item:selected {{ background: {now.well}; color: {now.ink}; }}
        QMenu::item:disabled {{ color: {now.quiet}; }}
        QMenu::separator {{ height: 1px; background: {now.line}; margin: 4px 8px; }}

        QScrollArea {{ border: 0; background: transparent; }}
        QScrollBar:vertical {{ background: {now.ground}; width: 10px; margin: 0; }}
        QScrollBar:horizontal {{ background: {now.ground}; height: 10px; margin: 0; }}
        QScrollBar::handle {{ background: {now.line}; border-radius: 5px; min-height: 40px; min-width: 40px; }}
        QScrollBar::handle:hover {{ background: {now.quiet}; }}
        QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
        QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}

        QProgressBar {{ border: 0; border-radius: 3px; background: {now.well}; max-height: 6px; }}
        QProgressBar::chunk {{ border-radius: 3px; background: {now.accent}; }}
        QSplitter::handle {{ background: {now.line}; }}
        QSplitter::handle:horizontal {{ width: 1px; }}
    """
