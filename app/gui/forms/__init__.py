"""Forms that are made from declarations alone: a parameter is written once, in its class, and nowhere here."""
