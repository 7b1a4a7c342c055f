"""Photographs and what is kept of each: places, thumbnails, descriptors, keypoints; listed and filtered."""
