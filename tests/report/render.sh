#!/usr/bin/env bash
# render.sh GRADPROOF: a real report.html, opened in headless Chromium: nothing is reported on the
# console, nothing is fetched, and what a reader must find is in the page. Skipped without Chromium.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo 'SKIPPED: no Chromium here'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" verify --cases 60 --seed 3 --operator upsample_bilinear2d --operator replication_pad2d --report "$folder/report" >/dev/null

status=0
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage \
  --disable-component-update --no-first-run --user-data-dir="$folder/profile" --enable-logging=stderr --v=0 \
  --dump-dom "file://$folder/report/report.html" >"$folder/dom" 2>"$folder/log" || status=$?
[ "$status" -eq 0 ] || { cat "$folder/log"; echo "Chromium: exit status $status"; exit 1; }
failures=0
fail() { echo "FAILED: $*"; failures=1; }
if grep -E 'CONSOLE' "$folder/log"; then fail 'messages on the console'; fi
for words in '>held</span>' '<h2>Operators</h2>' '<h2>Errors</h2>' '<h2>Rules</h2>' '<h2>Classes and cells</h2>' \
  '<h2>Properties</h2>' '<h2>Slowest checks</h2>' 'class="histogram"' 'class="matrix"' 'upsample_bilinear2d' 'equivalence'; do
  grep -qF "$words" "$folder/dom" || fail "the page lacks: $words"
done
grep -qE '(src|href)="?(https?:)?//|@import|url\(' "$folder/dom" && fail 'the page refers to something outside itself'
[ "$failures" -eq 0 ]
