"""The view of duplicates: groups of photographs, each with the one that is kept, and the removal of the others."""
