"""The way from the command line to the window."""
from __future__ import annotations
from pathlib import Path
from app.cli.session import Session
def open_window(session: Session, help_text: str) -> None:
    print(help_text)
def open_where_there_is_a_screen(library: Path) -> None:
    return
