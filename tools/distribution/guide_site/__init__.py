"""The guide as a site: pages of the guide, documents, and a reference made from the program itself, in each language.

``python -m tools.distribution.guide_site`` assembles the sources of each language in a temporary folder, lets mkdocs
make pages of them, and follows every link of the result. The site opens from a disk and asks nobody on a network for
anything.
"""
