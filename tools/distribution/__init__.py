"""What people download: made from the sources, each part by a program of its own. Nothing of the program imports it."""
