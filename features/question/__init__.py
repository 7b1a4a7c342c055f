"""What is made of a question: parts, mirrored and inverted pictures, colours and sketches."""
