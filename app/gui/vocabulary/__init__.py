"""What the window says and does about vocabularies."""
