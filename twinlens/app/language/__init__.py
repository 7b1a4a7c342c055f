"""The languages of the program: the choice of one, texts in it, and the compilation of the translations."""
