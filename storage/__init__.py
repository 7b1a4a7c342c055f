"""Storage: one SQLite file of photographs, problems, descriptors, models, indexes and their codes.

Knows no method by name: text, numbers, arrays and bytes under keys. SQL stands nowhere else in the program.
"""
