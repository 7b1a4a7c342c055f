"""Networks of a person's own: ONNX files, tried and run."""
