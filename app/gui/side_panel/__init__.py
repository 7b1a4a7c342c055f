"""Side panel."""
