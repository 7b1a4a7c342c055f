"""The table of contents, as mkdocs has it: files of pages, or titles with a file or with contents of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Contents = str | Sequence["str | Mapping[str, Contents]"]
