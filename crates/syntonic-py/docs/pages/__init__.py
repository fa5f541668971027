"""Makes the pages of the documentation site: guides that were run, and a page for each public name."""
