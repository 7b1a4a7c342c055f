"""Forms of a query: parts, mirrored and inverted pictures, colours and sketches."""
