"""How long the explorer takes to answer while a parameter is turned."""
