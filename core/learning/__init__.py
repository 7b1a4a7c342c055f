"""Learning what "similar" means from marks: whether a metric is worth keeping, which one, and what to mark next."""
