"""The map: all photographs of the library as points in two dimensions, similar ones close together."""
