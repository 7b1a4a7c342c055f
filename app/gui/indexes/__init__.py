"""The pages of indexes: the list, and creating one."""
