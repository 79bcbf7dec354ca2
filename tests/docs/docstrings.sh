#!/usr/bin/env bash
# docstrings.sh INCLUDE: each function of the C headers has a docstring of its own; phase 1 of an operator
# says something about each parameter, which products have it and where that comes from.
set -euo pipefail
find "$1"/acl "$1"/aclnn "$1"/aclnnop -name '*.h' -print0 | sort -z | xargs -0 awk '
  function judge(   name, list, n, i, p) {
    ++functions
    name = declaration
    sub(/ *\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    if (doc == "") { print FILENAME ": " name " has no docstring"; bad = 1; return }
    if (name !~ /^aclnn.*GetWorkspaceSize$/) return
    list = declaration
    sub(/[^(]*\(/, "", list)
    sub(/\).*/, "", list)
    n = split(list, parameters, ",")
    for (i = 1; i <= n; ++i) {
      p = parameters[i]
      gsub(/.*[ *]/, "", p)
      if (p == "workspaceSize" || p == "executor") continue  # aclnn_base.h, for all
      if (doc !~ "@param +" p "[ ,]") { print FILENAME ": " name " does not describe " p; bad = 1 }
    }
    if (doc !~ /Products/) { print FILENAME ": " name " does not name products"; bad = 1 }
    if (doc !~ /Source: /) { print FILENAME ": " name " does not name its source"; bad = 1 }
  }
  FNR == 1 { doc = comment = declaration = "" }
  /^\/\*\*/ { comment = ""; inside = 1 }
  inside { comment = comment $0 " "; if (/\*\//) { inside = 0; doc = comment }; next }
  /^(ACL_FUNC_VISIBILITY|ACLNN_API) / { declaration = ""; open = 1 }
  open { declaration = declaration $0 " "; if (/;/) { judge(); open = 0; doc = "" }; next }
  { doc = "" }  # a docstring stands right above what it is about
  END {
    if (functions < 80) { print "only " functions + 0 " functions seen"; bad = 1 }
    exit bad
  }'
