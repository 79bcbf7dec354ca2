#!/usr/bin/env python3
# site.py FOLDER: each link and image of the built documentation site leads to a file with contents, and to an anchor if
# the link names one; no page loads anything from another host.
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page links to, loads, and offers as anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        have = dict(attributes)
        self.anchors.update(have[name] for name in ("id", "name") if have.get(name))
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        elif tag == "link" and have.get("rel") == "stylesheet":
            self.loads.append(have["href"])
        elif tag in ("img", "script", "iframe", "object") and (have.get("src") or have.get("data")):
            self.loads.append(have.get("src") or have.get("data"))


site = pathlib.Path(sys.argv[1]).resolve()
pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}
problems, links, images = [], 0, 0


def target(page, address):
    """The file that an address in a page means, and its anchor."""
    parts = urllib.parse.urlsplit(address)
    path = urllib.parse.unquote(parts.path)
    return (page.parent / path).resolve() if path else page, urllib.parse.unquote(parts.fragment)


for page, contents in pages.items():
    name = page.relative_to(site)
    for address in contents.links:
        if urllib.parse.urlsplit(address).scheme in ("http", "https", "mailto"):
            continue
        links += 1
        file, anchor = target(page, address)
        images += file.suffix in (".svg", ".png")
        if not file.is_file() or file.stat().st_size == 0:
            problems.append(f"{name}: {address} is not there, or empty")
        elif anchor and file in pages and anchor not in pages[file].anchors:
            problems.append(f"{name}: {file.relative_to(site)} has no anchor #{anchor}")
    for address in contents.loads:
        if address.startswith("data:"):
            continue
        if urllib.parse.urlsplit(address).netloc:
            problems.append(f"{name}: loads {address} from another host")
            continue
        file, _ = target(page, address)
        images += file.suffix in (".svg", ".png")
        if not file.is_file() or file.stat().st_size == 0:
            problems.append(f"{name}: {address} is not there, or empty")

if len(pages) < 30 or links < 1000 or images < 10:
    problems.append(f"found only {len(pages)} pages, {links} links and {images} images")
for problem in problems:
    print(problem)
print(f"{len(pages)} pages, {links} links, {images} images, {len(problems)} problems")
sys.exit(bool(problems))
