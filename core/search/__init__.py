"""Finding the nearest codes. Adding a search structure is a new file here, and its name in ``SEARCHES``."""

from __future__ import annotations

from core.declaration.family import Family
from core.search.buckets import Buckets
from core.search.exact_ranking import Exact
from core.search.grouped_codes import Grouped
from core.search.linear_scan import Scan
from core.search.multi_index.multi_index import MultiIndex
from core.search.permuted_lists.permuted_lists import Permuted
from core.search.search_structure import Search

SEARCHES: Family[Search] = Family("search", Search, (Scan, Grouped, Buckets, MultiIndex, Permuted, Exact))
"""Every search structure that can be chosen."""
