"""Finding the nearest codes. Adding a search structure is a new file here, and its name in ``SEARCHES``."""

from __future__ import annotations

from core.search.buckets import Buckets
from core.search.exact import Exact
from core.search.grouped import Grouped
from core.search.multi_index import MultiIndex
from core.search.permuted import Permuted
from core.search.scan import Scan
from core.search.search import Search

SEARCHES: tuple[type[Search], ...] = (Scan, Grouped, Buckets, MultiIndex, Permuted, Exact)
"""Every search structure that can be chosen."""
