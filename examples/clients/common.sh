# Functions of the clients' run.sh scripts, which source this file.
# shellcheck shell=bash

# checkout FOLDER NAME FILE ORIGIN: ends the run as skipped if FOLDER/NAME has no such FILE.
checkout() {
  [ -n "$1" ] || { echo "skipped: no folder of checkouts was named"; exit 77; }
  [ -e "$1/$2/$3" ] && return
  echo "skipped: no checkout of $4 in $1/$2"
  exit 77
}

# counts: sums the rows of a comparison (operator, call, type, calls, equal calls; tab-separated) and prints them as a table.
counts() {
  awk -F '\t' '
    { key = $1 "` | " $2; if (!(key in seen)) { seen[key]; order[++rows] = key }
      calls[key, $3] += $4; differ[key] += $4 - $5; all += $4; equal += $5 }
    END {
      print "| operator | call | FLOAT | FLOAT16 | BF16 | differ from ATen |"
      print "|---|---|---|---|---|---|"
      for (i = 1; i <= rows; ++i) { key = order[i]
        printf "| `%s | %d | %d | %d | %d |\n", key, calls[key, "Float"], calls[key, "Half"], calls[key, "BFloat16"], differ[key] }
      printf "\n%d calls, %d equal to ATen\n", all, equal }'
}
