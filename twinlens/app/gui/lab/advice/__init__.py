"""The Lab's page of advice."""
