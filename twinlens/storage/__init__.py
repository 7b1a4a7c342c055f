"""Storage: a library of photographs, problems, descriptors, models, indexes and their codes, in a file or on a server.

Knows no method by name: text, numbers, arrays and bytes under keys. SQL stands nowhere else in the program.
"""

from __future__ import annotations
