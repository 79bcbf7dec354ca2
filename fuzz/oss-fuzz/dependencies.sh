#!/bin/bash -eu
# Fetches the sources that package.sh builds with the sanitizer's flags. Both Dockerfiles run it in $SRC.
fetch() { git clone --depth 1 --branch "$2" "https://github.com/$1.git" "$SRC/$(basename "$1")"; }
fetch uxlfoundation/oneTBB v2021.13.0
fetch google/highway 1.2.0
fetch nlohmann/json v3.11.3
fetch CLIUtils/CLI11 v2.4.2
