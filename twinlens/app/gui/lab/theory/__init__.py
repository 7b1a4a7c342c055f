"""The Lab's page of theory."""
