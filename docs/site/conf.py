"""How Sphinx builds the site: `make docs`. The sources are what `stage.py` has laid out."""

import tomllib
from pathlib import Path

_PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]

project = _PROJECT["name"]
release = version = _PROJECT["version"]
author = copyright = _PROJECT["authors"][0]["name"]

extensions = ["myst_nb", "sphinx-mathjax-offline"]
nb_execution_mode = "off"  # the tests execute the notebooks
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "mailto"]
suppress_warnings = [
    "myst.header",  # a docstring's lists of arguments skip a level
    "mystnb.unknown_mime_type",
]

html_theme = "furo"
html_title = "wirtinger"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
