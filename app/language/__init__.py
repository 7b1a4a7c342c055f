"""The languages of the program: choosing one, writing messages in it, gathering and compiling the translations."""
