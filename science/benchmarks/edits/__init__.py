"""The yardstick of finding edited copies: photographs, their copies, and thousands of others beside them."""
