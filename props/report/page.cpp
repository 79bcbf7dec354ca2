// The common parts of all HTML pages.
#include "props/report/page.h"

#include <cstdio>

#include "props/report/text.h"

namespace gradproof::report {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --back: #fff; --text: #1c2024; --soft: #5b6570; --line: #d5dae0; --panel: #f5f7f9;
  --good: #cfe8d5; --bad: #f6c6c0; --none: #e9edf1; --bar: #3568a8; --over: #c0392b; }
@media (prefers-color-scheme: dark) { :root { --back: #15181c; --text: #e4e8ec; --soft: #98a3ae; --line: #343b43;
  --panel: #1d2126; --good: #1f4a2e; --bad: #6b2720; --none: #2a3037; --bar: #6ea0de; --over: #e8705f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; } p { margin: .3rem 0 .7rem; max-width: 50rem; }
.verdict { display: inline-block; padding: .05em .5em; border-radius: .25em; }
.verdict.passed { background: var(--good); } .verdict.failed { background: var(--bad); }
.verdict.incomplete { border: 1px solid; }
.soft, caption { color: var(--soft); } .scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; } caption { text-align: left; padding: .2rem 0; }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } span.over { color: var(--over); }
pre, code, .mono { font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--panel); border: 1px solid var(--line); padding: .6rem; overflow-x: auto; margin: .3rem 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .9rem; margin: .4rem 0; font-size: 13px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; } td.n { white-space: nowrap; }
td.case { min-width: 16rem; }
pre.wrap { white-space: pre-wrap; } pre.wrap, td.case { overflow-wrap: anywhere; } details { margin: .4rem 0; } summary { cursor: pointer; }
.charts { display: flex; flex-wrap: wrap; gap: .6rem 1.4rem; } figure { margin: 0; } figcaption { font-size: 12px; }
svg text { fill: var(--text); font: 11px ui-monospace, "DejaVu Sans Mono", monospace; }
svg.histogram text { font-size: 10px; fill: var(--soft); } svg .axis { stroke: var(--soft); fill: none; }
svg .good { fill: var(--good); } svg .bad { fill: var(--bad); } svg .none { fill: var(--none); }
svg .bar { fill: var(--bar); } svg .over { fill: var(--over); } svg.level { vertical-align: middle; }
)";

}  // namespace

std::string page_head(std::string_view title, std::string_view verdict) {
  const std::string word(verdict);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link "
         "rel=\"icon\" href=\"data:,\">\n<title>" +
         escaped(title) + ": " + word + "</title>\n<style>" + std::string(kStyle) +
         "</style>\n</head>\n<body>\n<h1>" + escaped(title) + " <span class=\"verdict " + word +
         "\">" + word + "</span></h1>\n";
}

std::string page_section(std::string_view title, std::string_view says) {
  return "<h2>" + escaped(title) + "</h2>\n<p>" + escaped(says) + "</p>\n";
}

std::string page_row(const std::vector<std::string>& cells, std::string_view tag,
                     std::size_t words) {
  const std::string name(tag);
  std::string row = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    row += "<" + name + (i < words ? "" : " class=\"n\"") + (tag == "th" ? " scope=\"col\"" : "") +
           ">" + cells[i] + "</" + name + ">";
  }
  return row + "</tr>\n";
}

std::string fixed_digits(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace gradproof::report
