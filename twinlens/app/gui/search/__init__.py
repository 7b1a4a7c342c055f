"""The search view: query, results and their explanations."""
