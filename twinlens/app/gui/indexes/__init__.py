"""The pages of the indexes: their list, the form of a new one, and suggestions about the automatic index."""
