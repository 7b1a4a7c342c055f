"""The pages of indexes: the list, and making one."""
