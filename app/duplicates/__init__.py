"""Search for duplicate photographs."""
