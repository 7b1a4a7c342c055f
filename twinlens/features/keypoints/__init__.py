"""Keypoints: found, kept, matched, and the geometric check of candidates."""
