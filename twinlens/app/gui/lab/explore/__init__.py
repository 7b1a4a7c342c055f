"""The Lab's explorer."""
