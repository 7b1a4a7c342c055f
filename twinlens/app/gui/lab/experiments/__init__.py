"""The Lab's page of experiments."""
