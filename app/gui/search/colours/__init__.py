"""Questions by colours: a palette or a sketch."""
