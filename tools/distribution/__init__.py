"""The downloads of a release, each made from the sources by a program of its own, which nothing people run imports."""
