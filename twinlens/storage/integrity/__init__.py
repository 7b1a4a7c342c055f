"""Damage: checksums of rows, the check of a library, and mending.

Each row of a file carries a CRC-32 of its values, which triggers of every writing connection keep in step; a server has
checksums of its own. Models, codes, keypoints and vectors are verified when they are read: a damaged vector or keypoint
row counts as none, damaged codes are encoded again in memory, anything else is a `DamagedRowError`. The check reads
every row and tells for each finding what mends it: a single flipped bit is put back, since the checksum tells which one
it was; what can be computed again is removed and computed anew.
"""

from __future__ import annotations
