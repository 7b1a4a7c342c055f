"""Duplicates: the photographs of a library that show one picture, and which of them to keep.

Nobody sets a threshold, and none is calibrated for an index. An index only proposes pairs: each picture with its
nearest neighbours, and with more where all of these may belong to it. Every proposed pair is confirmed in the same way:
keypoints vote, one picture is laid over the other, and the files of copies are compared. So another index can miss
pairs, but it never adds a false one. Up to 10,000 pictures, distances between vectors are exact, so codes and their
bits do not matter. Beyond that the codes of “Automatic” propose, whichever index a person searches with. Of 40
photographs in 13 versions each among 2,565 pictures, exact distances (by Automatic and by colours) and the codes of
Automatic connect all versions; colours connect 96 % by codes of 512 bits, and 74 to 97 % by codes of 16 to 256 bits.
"""
