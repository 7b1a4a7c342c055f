"""The search view: the question, ranked results, why each was found."""
