"""The library view: folders, filters, adding, what can be done with photographs."""
