"""The page of the Lab: its experiments, their sheets, and the pages of advice, explorer and theory."""
