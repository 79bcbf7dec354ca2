#!/usr/bin/env bash
# fuzz_table.sh LIBRARY_SH: the table of `./run fuzz --library` has a header, and counts crashes apart from findings. The
# program is a stand-in, which finds a wrong result and a crash.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/program" <<'END'
#!/usr/bin/env bash
[ -n "${GRADPROOF_FUZZ_TARGET-}" ] || { echo execute_identity; exit; }
[ -z "${GRADPROOF_FUZZ_KEEP-}" ] || { touch "$GRADPROOF_FUZZ_FINDINGS/crash.txt"; exit; }
touch "$GRADPROOF_FUZZ_FINDINGS/wrong.txt"
for word in "$@"; do
  case $word in -artifact_prefix=*) touch "${word#*=}crash-1" ;; esac
done
echo '#60: cov: 12 ft: 34'
END
chmod +x "$folder/program"
status=0
"$1" "$folder/program" "$folder/campaign" 0.05 1 '' '' ./libmine.so >"$folder/out" 2>"$folder/table" || status=$?
[ $status -eq 1 ] || { cat "$folder/table"; echo "exit status $status instead of 1"; exit 1; }
expected='target executions a second edges crash/hang findings
execute_identity 60 20 12 1 2'
diff <(sed -E 's/ +/ /g' "$folder/table") <(echo "$expected")
diff "$folder/table" "$folder/campaign/campaign.txt"
