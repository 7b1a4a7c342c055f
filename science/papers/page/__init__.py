"""PAPERS.md and the page of each paper: written from kept results alone, without computing anything anew."""
