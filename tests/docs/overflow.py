"""overflow.py PAGE...: in headless Chromium no page is wider than the window, whose width is that of a phone, a tablet, a laptop
and a wide screen, and each is dark where the system prefers dark. What is wider than its column (tables, code) has to scroll by
itself."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = [400, 800, 1280, 1700]
DRIVER = """<!doctype html><meta charset="utf-8"><body><script>
const pages = PAGES, found = [];
const frame = document.body.appendChild(document.createElement("iframe"));
frame.height = 900;
function luminance(color) {
  const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
  return alpha === 0 ? 255 : 0.2 * red + 0.7 * green + 0.1 * blue;
}
function measure(page, width) {
  const root = frame.contentDocument.documentElement;
  if (DARK) {
    const style = (element) => frame.contentWindow.getComputedStyle(element);
    const surface = Math.min(...[root, frame.contentDocument.body].map((e) => luminance(style(e).backgroundColor)));
    const text = luminance(style(frame.contentDocument.body).color);
    if (surface > 80 || text < 150) found.push(`${page}: not dark, its surface is ${surface} of 255 and its text ${text}`);
    return;
  }
  if (root.scrollWidth <= root.clientWidth + 1) return;
  const scrolls = (element) => {
    for (let e = element.parentElement; e && e !== root; e = e.parentElement)
      if (["auto", "scroll", "hidden"].includes(frame.contentWindow.getComputedStyle(e).overflowX)) return true;
    return false;
  };
  const wide = [...root.querySelectorAll("body *")].find((e) => e.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(e));
  found.push(`${page} at ${width}: ${root.scrollWidth} pixels, first <${wide ? wide.tagName : "?"}> ` +
             `${wide ? wide.textContent.trim().slice(0, 60) : ""}`);
}
async function look() {
  for (const width of WIDTHS) {
    frame.width = width;
    for (const page of pages) {
      await new Promise((done) => { frame.onload = done; frame.src = page; });
      measure(page, width);
    }
  }
  const result = document.body.appendChild(document.createElement("pre"));
  result.textContent = "RESULT" + JSON.stringify({looked: pages.length * WIDTHS.length, found}) + "END";
}
look();
</script>"""

browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
if not browser:
    print("skipped: chromium is not installed (Debian: chromium)")
    sys.exit(77)
pages = [pathlib.Path(page).resolve().as_uri() for page in sys.argv[1:]]
assert pages, "no page was given"


def look(widths, dark):
    """What is wrong in the pages at these widths, and how many views were looked at."""
    with tempfile.TemporaryDirectory() as folder:
        driver = pathlib.Path(folder) / "driver.html"
        words = {"PAGES": json.dumps(pages), "WIDTHS": json.dumps(widths), "DARK": json.dumps(dark)}
        driver.write_text(re.sub("PAGES|WIDTHS|DARK", lambda word: words[word[0]], DRIVER))
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage",
             "--disable-component-update", "--no-first-run", "--allow-file-access-from-files", f"--user-data-dir={folder}/profile",
             f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--window-size=1900,1000", "--timeout=240000",
             "--virtual-time-budget=600000", "--dump-dom", driver.as_uri()],
            capture_output=True, text=True, timeout=280)
    result = re.search(r"RESULT(\{.*\})END</pre>", done.stdout)
    assert result, f"Chromium did not come to an end: {done.stderr[-2000:]}"
    return json.loads(result[1].replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))


light, dark = look(WIDTHS, False), look([1280], True)
for line in light["found"] + dark["found"]:
    print(line)
print(f"{light['looked']} views, {len(light['found'])} too wide; {dark['looked']} dark views, {len(dark['found'])} not dark")
sys.exit(bool(light["found"] or dark["found"]))
