"""Search: from a question to ranked and checked results.

`Searcher` keeps codes in memory between questions and looks again when the library has changed. A search ranks by
vectors; the geometric check then compares the keypoints of the first candidates with the question (pairs, ratio test, a
homography) and puts confirmed matches first. A question is also tried mirrored, inverted and both; of an example, the
nearest of the four counts, a little less if it is not the original.
"""
