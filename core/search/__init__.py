"""Finding the nearest codes. Adding a search structure is a new file here, and its place in ``SEARCHES``."""

from __future__ import annotations

from core.declaration.family import Family
from core.search.search_structure import Search

SEARCHES: Family[Search] = Family(
    "search",
    Search,
    {
        "scan": "core.search.linear_scan:Scan",
        "grouped": "core.search.grouped_codes:Grouped",
        "buckets": "core.search.buckets:Buckets",
        "multi-index": "core.search.multi_index:MultiIndex",
        "permuted": "core.search.permuted_lists:Permuted",
        "server": "core.search.server_lists:ServerLists",
        "exact": "core.search.linear_scan:Exact",
    },
)
"""Every search structure that can be chosen."""
