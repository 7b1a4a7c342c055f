"""The pages beside the photographs: indexes, problems, settings. They are given plain data and speak by signals."""
