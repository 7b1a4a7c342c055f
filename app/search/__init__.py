"""Search: from a query to ranked and checked results."""
