"""The Theory page of the Lab: what the papers say of hashing, drawn over what is measured of the library."""
