"""The pages of indexes: the list, and creating one; and what is suggested about the automatic one."""
