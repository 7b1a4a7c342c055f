"""One photograph, large: zoom, crop, next and previous."""
