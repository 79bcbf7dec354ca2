# The documentation site: Sphinx with Furo, MyST and Breathe, made by `./run docs`.
#
# Why these: all are packages of Debian 12; MyST reads the Markdown pages where they are, and checks their links;
# Breathe takes the C and C++ API from Doxygen's XML, which MkDocs of Debian 12 has no counterpart for; Furo brings
# sidebar, search, dark mode and a limited line length, and fetches nothing from other hosts.
import os
import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]  # also Sphinx's source folder, so that links in pages work as they are
project = "gradproof"
release = version = os.environ["GRADPROOF_VERSION"]
html_title = f"gradproof {release}"

extensions = ["myst_parser", "breathe"]
include_patterns = ["README*.md", "CHANGELOG.md", "docs/**.md", "examples/clients/*/README.md",
                    "examples/pytorch_extension/README.md"]
exclude_patterns = ["build", ".*"]
root_doc = "docs/index"
html_extra_path = ["root"]  # the site's first address leads to the root document
html_theme = "furo"
html_static_path = ["static"]
html_js_files = ["theme.js"]
html_css_files = ["site.css"]
html_theme_options = {"sidebar_hide_name": False}
html_show_copyright = html_show_sphinx = False
html_copy_source = False
# The smart quotes of other sites would change the quotes of commands in sentences.
smartquotes = False

myst_heading_anchors = 4
# Pages of this project hold program text in languages that Pygments does not know, and cases of its own.
highlight_language = "none"

breathe_projects = {"gradproof": os.environ["GRADPROOF_XML"]}
breathe_default_project = "gradproof"


def navigation(index):
    """The sidebar, from docs/index.md: each of its headings, with the first link of each item of its list."""
    for section in re.split(r"^## ", index, flags=re.M)[1:]:
        caption, text = section.split("\n", 1)
        links = re.findall(r"^- \[([^]]+)\]\((\S+)\.md\)", text, flags=re.M)
        entries = "\n".join(f"{title} <{page}>" for title, page in links)
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n"


def headers(folder):
    """The documentation of each public header of include/FOLDER."""
    for header in sorted((root / "include" / folder).glob("*.h")):
        yield f"## `{folder}/{header.name}`\n\n```{{doxygenfile}} {folder}/{header.name}\n```\n"


def complete(app, page, source):
    if page == root_doc:
        source[0] += "\n" + "\n".join(navigation(source[0]))
    elif page.startswith("docs/api/"):
        source[0] += "\n" + "\n".join(headers(page.removeprefix("docs/api/")))


def setup(app):
    app.connect("source-read", complete)
