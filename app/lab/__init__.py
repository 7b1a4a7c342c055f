"""The Lab: questions about methods, answered by measuring them on the photographs of a library or on vectors."""
