"""Finding the nearest codes. Adding a search structure is a new file here, and its place in ``SEARCHES``."""

from __future__ import annotations

from twinlens.core.declaration.family import Family
from twinlens.core.search.search_structure import Search

SEARCHES: Family[Search] = Family(
    "search",
    Search,
    {
        "scan": "twinlens.core.search.linear_scan:Scan",
        "grouped": "twinlens.core.search.grouped_codes:Grouped",
        "buckets": "twinlens.core.search.buckets:Buckets",
        "multi-index": "twinlens.core.search.multi_index:MultiIndex",
        "ivf": "twinlens.core.search.inverted_file:InvertedFile",
        "permuted": "twinlens.core.search.permuted_lists:Permuted",
        "server": "twinlens.core.search.server_lists:ServerLists",
        "exact": "twinlens.core.search.linear_scan:Exact",
    },
)
"""Every search structure that can be chosen."""
