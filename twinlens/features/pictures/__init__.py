"""Pictures in memory: channels, sizes, thumbnails, edited copies."""
