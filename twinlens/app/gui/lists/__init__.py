"""Lists and tables that stay smooth with thousands of rows: cards drawn by one delegate, and sortable tables.

Nothing here is a widget per row. A list takes rows and a function that makes the card of one; a table takes a sheet,
which declares its columns as functions of a row.
"""
