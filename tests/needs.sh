# needs TOOL PACKAGE: ends a test as skipped where a program that it uses is not installed, and says which Debian
# package has it: CI reads "(Debian: PACKAGE)" at the end of such lines. Sourced by tests.
needs() {
  command -v "$1" >/dev/null && return
  echo "skipped: $1 is not installed (Debian: $2)"
  exit 77
}
