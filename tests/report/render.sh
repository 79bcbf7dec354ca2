#!/usr/bin/env bash
# render.sh GRADPROOF FAKE_LIBRARY: real pages of verify and selftest, opened in headless Chromium:
# nothing is reported on the console, nothing is fetched, what a reader must find is in the page, and no page is wider
# than its window.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || needs chromium chromium) ||
  { echo "$browser"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" verify --cases 60 --seed 3 --operator upsample_bilinear2d --operator replication_pad2d --report "$folder/report" >/dev/null

cat >"$folder/catalogue.json" <<JSON
[{"name": "last_column_wrong", "tracker": "", "defect": "The last column is left out.", "alone": true,
  "operator": "replication_pad2d_backward", "expected": "EQ", "elements": "64", "reason": "", "library": "$2"}]
JSON
FAKE_FAULT='last column' "$1" selftest --faulty "$folder" --sound-seconds 0 --seconds-per-fault 60 --report "$folder/selftest" >/dev/null

failures=0
fail() { echo "FAILED: $*"; failures=1; }
# shows PAGE WORDS…: the page, as the browser has it, contains the words.
shows() {
  local page=$1 status=0
  shift
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage \
    --disable-component-update --no-first-run --user-data-dir="$folder/profile" --enable-logging=stderr --v=0 \
    --dump-dom "file://$page" >"$folder/dom" 2>"$folder/log" || status=$?
  [ "$status" -eq 0 ] || { cat "$folder/log"; echo "Chromium: exit status $status"; exit 1; }
  if grep -E 'CONSOLE' "$folder/log"; then fail "messages on the console of $page"; fi
  for words; do grep -qF "$words" "$folder/dom" || fail "$page lacks: $words"; done
  if grep -qE '(src|href)="?(https?:)?//|@import|url\(' "$folder/dom"; then fail "$page refers to something outside itself"; fi
}
shows "$folder/report/report.html" '>passed</span>' '<h2>Operators</h2>' '<h2>Errors</h2>' '<h2>Rules</h2>' \
  '<h2>Case classes and coverage points</h2>' '<h2>Properties</h2>' '<h2>Slowest checks</h2>' 'class="histogram"' 'class="matrix"' \
  'upsample_bilinear2d' 'equivalence'
shows "$folder/selftest/report.html" '<h2>Faults</h2>' '<h2>Properties and faults</h2>' '<h2>Properties</h2>' \
  'class="matrix"' 'last_column_wrong' 'The last column is left out.' 'recall 1 of 1'
python3 "$(dirname "${BASH_SOURCE[0]}")/../docs/overflow.py" "$folder"/{report,selftest}/report.html || fail 'a page is too wide'
[ "$failures" -eq 0 ]
