"""Hook of mkdocs that turns Sphinx's roles in docstrings, such as ``:func:``, into plain code."""

from __future__ import annotations

import re
from typing import Any


def on_page_content(html: str, **_page: Any) -> str:
    """Take the roles away from the HTML of a page.

    Examples
    --------
    >>> on_page_content("of :func:<code>fit</code>")
    'of <code>fit</code>'
    """
    return re.sub(r":(?:attr|class|func|meth|mod):(?=<code>)", "", html)
