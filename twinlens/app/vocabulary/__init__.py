"""Visual vocabularies: the ready-made one, and those learned from a library, measured, and kept or dropped."""
