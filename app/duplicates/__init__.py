"""Search for duplicate photographs.

No number is asked of a person, and none is calibrated for an index. An index only proposes pairs: each picture with its
nearest, and with more where all of these may belong to it. Whether a pair belongs together is confirmed in one way,
whatever proposed it: keypoints vote, one picture is laid over the other, and copies are looked at closely. So another
index can miss pairs, and never adds a false one. Up to 10,000 pictures every pair is measured by the vectors
themselves, so codes and their bits do not matter. Of more, the codes of “Automatic” propose, whatever index is chosen
for searching. Of 40 photographs in 13 versions each among 2,565 pictures, all versions hang together by vectors
(Automatic and colours) and by Automatic's codes, 96 % by colours with 512 bits, and 74 to 97 % by 16 to 256 bits.
"""
