"""A library wherever it lies: opening, transactions, copies, backups, sizes, settings."""
