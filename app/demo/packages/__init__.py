"""Files out of other people's packages: which, where from, what they are, under which licence."""
