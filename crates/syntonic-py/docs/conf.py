"""How Sphinx makes the site of the pages that `python -m pages` wrote. Nothing is fetched when the site is read."""

project = "Syntonic"
author = "The Syntonic authors"
copyright = author
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Syntonic"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# The pages are copies; where one is edited is said in the repository.
html_show_sourcelink = False
# Sources that guides include are no pages of their own.
exclude_patterns = ["tree/**/*.rs"]
myst_heading_anchors = 3
# Annotations name types of Python and of other libraries, which this site does not document.
nitpick_ignore_regex = [("py:.*", r"(?!syntonic\.).*")]
# What stands in a docstring is what one types: quotes and dashes stay as they are.
smartquotes = False
# Parameters of long signatures stand on lines of their own.
maximum_signature_line_length = 100
toc_object_entries = False
python_use_unqualified_type_names = True
# A README begins where its reader stands: its headings may skip a level.
suppress_warnings = ["myst.header"]
