"""About Twinlens: the parts that it is made of, with the texts of their licences."""
