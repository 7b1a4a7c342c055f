"""PAPERS.md: written from kept results alone, without computing anything anew."""
