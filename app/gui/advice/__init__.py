"""The Lab's advice: what is asked, what is being tried, the proposal with its reasons, and what was tried."""
