"""The site: Sphinx over the repository's own Markdown, once for each language.

``make docs`` builds the English pages into ``build/site`` and the Turkish ones into
``build/site/tr``; the variable ``OKEY101_SITE_LANGUAGE`` says which. The root of the sources is the
root of the repository, so the links that work there work here.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "src")]

import okey101  # noqa: E402

language = os.environ.get("OKEY101_SITE_LANGUAGE", "en")
project = "okey101"
author = project_copyright = "okey101 contributors"
release = version = okey101.__version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "repository_pages",
    "reference_entries",
]

root_doc = "README" if language == "en" else "README.tr"
include_patterns = (
    [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "benchmarks/*.md",
        "clients/js/README.md",
        "docs/adr/*.md",
        "docs/api/*.md",
        "docs/en/**.md",
        "docs/en/**.ipynb",
    ]
    if language == "en"
    else ["README.tr.md", "docs/tr/**.md"]
)
# Without these Sphinx looks at each file of the environments as well: ten thousands.
exclude_patterns = [".*", "build", "dist", "src", "tests", "web"]

nitpicky = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, "other": "{{path}}"}
suppress_warnings = ["myst.header"]  # a page printed by a command begins where it begins
nb_execution_mode = "force" if os.environ.get("OKEY101_SITE_RUN", "1") == "1" else "off"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
logging.getLogger("traitlets").setLevel(logging.ERROR)

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True
add_module_names = True  # a reader has to know what to import from
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"okey101 {release}"
html_static_path = ["_static"]
html_css_files = ["okey101.css"]
html_favicon = "_static/okey101.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6b4f",
        "color-brand-content": "#0b6b4f",
        "font-stack": "system-ui, sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5cc9a3",
        "color-brand-content": "#5cc9a3",
    },
    "source_repository": "https://github.com/okey101/okey101/",
    "source_branch": "main",
    "source_directory": "",
}
html_search_language = language
