"""The file of a library: opening, transactions, locks, upgrades, copies, backups, settings."""
