"""What hash methods share: what each is, encoders, packed codes, estimates, and a metric before a method."""
