"""The database underneath: connections, tables, journal, ids in statements, and what SQLite reports."""
