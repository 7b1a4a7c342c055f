"""The engine of measuring: plans of data, truth and candidates, measured in steps, judged and summed up in one way."""
