"""The demo: real photographs from public packages, indexed and searched."""
