"""Photographs and what is kept of each: places, thumbnails, descriptors, keypoints; listed and filtered."""

from __future__ import annotations
