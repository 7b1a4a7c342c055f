"""Search by colours: a palette or a sketch."""
