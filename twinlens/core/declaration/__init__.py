"""Declarations: named parameters, their text form, their reference page, and what was learned by them."""
