"""What is said of an index that is to be made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NewIndex:
    """An index that is to be made, in text forms; nothing is checked yet.

    Attributes
    ----------
    descriptor, method, search : str
        Text forms.
    metric : str
        Name of a metric that the library keeps, or text form of one that is fitted with the index; empty for none.
    name : str, optional
        By default the text forms.
    """

    descriptor: str
    method: str = "itq"
    search: str = "scan"
    metric: str = ""
    name: str | None = None
