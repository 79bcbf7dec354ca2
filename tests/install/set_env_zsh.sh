#!/usr/bin/env bash
# set_env_zsh.sh BUILD WORK: set_env.sh of the component `dropin` works in zsh too. For bash cann_project.sh shows it.
set -euo pipefail
build=$1 work=$2
source "$(dirname "${BASH_SOURCE[0]}")/../needs.sh"
needs zsh zsh
rm -rf "$work"
cmake --install "$build" --prefix "$work/a folder" --component dropin >/dev/null
there=$(env -u LD_LIBRARY_PATH -u ASCEND_HOME_PATH zsh -c ". '$work/a folder/set_env.sh'; echo \$ASCEND_HOME_PATH,\$ASCEND_TOOLKIT_HOME")
[ "$there" = "$work/a folder,$work/a folder" ] || { echo "ASCEND_HOME_PATH,ASCEND_TOOLKIT_HOME is '$there'"; exit 1; }
