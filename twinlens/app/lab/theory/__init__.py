"""Theory: what the papers prove, drawn over what is measured."""
