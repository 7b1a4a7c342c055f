"""What the papers' theory says of vectors, beside what is measured of them, as plain numbers."""
