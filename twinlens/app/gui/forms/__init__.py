"""Forms made from declarations alone: a parameter is declared once, in its class, and nowhere here."""
