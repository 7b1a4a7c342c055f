"""The Lab: experiments, and what else its pages show."""
