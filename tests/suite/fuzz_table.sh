#!/usr/bin/env bash
# fuzz_table.sh LIBRARY_SH: the table of `./run fuzz --library` has a header, and counts crashes apart from findings; the
# exit status is about this run. The program is a stand-in, which finds a wrong result and a crash, nothing, or ends at once.
set -euo pipefail
library_sh=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/program" <<'END'
#!/usr/bin/env bash
[ -n "${GRADPROOF_FUZZ_TARGET-}" ] || { echo execute_identity; exit; }
case ${FAKE-} in
  idle) echo 'cannot start'; exit 1 ;;
  correct) echo '#60: cov: 12 ft: 34'; exit ;;
esac
[ -z "${GRADPROOF_FUZZ_KEEP-}" ] || { touch "$GRADPROOF_FUZZ_FINDINGS/crash.txt"; exit; }
touch "$GRADPROOF_FUZZ_FINDINGS/wrong.txt"
for word in "$@"; do
  case $word in -artifact_prefix=*) touch "${word#*=}crash-1" ;; esac
done
echo '#60: cov: 12 ft: 34'
END
chmod +x "$folder/program"
status=0
"$library_sh" "$folder/program" "$folder/campaign" 0.05 1 '' '' ./libmine.so >"$folder/out" 2>"$folder/table" || status=$?
[ $status -eq 1 ] || { cat "$folder/table"; echo "exit status $status instead of 1"; exit 1; }
expected='target executions a second edges crash/hang findings
execute_identity 60 20 12 1 2'
diff <(sed -E 's/ +/ /g' "$folder/table") <(echo "$expected")
diff "$folder/table" "$folder/campaign/campaign.txt"

# Findings of another run are not this one's.
find "$folder/campaign/findings" "$folder/campaign/execute_identity/crashes" -type f -exec touch -d yesterday {} +
# again FAKE STATUS TEXT
again() {
  status=0
  FAKE=$1 "$library_sh" "$folder/program" "$folder/campaign" 0.05 1 '' '' ./libmine.so >"$folder/out" 2>&1 || status=$?
  [ $status -eq "$2" ] && grep -q "$3" "$folder/out" || { cat "$folder/out"; echo "$1: exit status $status, or no '$3'"; exit 1; }
}
again correct 0 '^No findings.$'
again idle 2 'execute_identity executed no input'
! grep -q 'No findings' "$folder/out" || { echo 'a target that did not run has no findings'; exit 1; }
grep -qx 'cannot start' "$folder/out" || { cat "$folder/out"; echo 'no log of the target that did not run'; exit 1; }
