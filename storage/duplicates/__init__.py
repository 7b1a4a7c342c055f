"""What is known of duplicates: which contents are related, what a person decided, and what was moved away."""
