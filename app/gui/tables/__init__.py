"""Tables of measured things, declared by their columns: a sheet says what is shown, a table shows it."""
