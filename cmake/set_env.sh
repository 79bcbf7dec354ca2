# Source this file, in bash or zsh, and CANN's CMake files and programs find the tree that holds it.
# shellcheck shell=bash
if [ -n "${BASH_SOURCE:-}" ]; then
  _gradproof_file=${BASH_SOURCE[0]}
elif [ -n "${ZSH_VERSION:-}" ]; then
  eval '_gradproof_file=${(%):-%x}'  # in quotes, since other shells cannot parse it
elif [ -n "${ASCEND_HOME_PATH:-}" ] && [ -e "$ASCEND_HOME_PATH/set_env.sh" ]; then
  _gradproof_file=$ASCEND_HOME_PATH/set_env.sh
else
  echo "set_env.sh: this shell does not say where the file is; set ASCEND_HOME_PATH to its folder first" >&2
  return 1
fi

ASCEND_HOME_PATH=$(cd "$(dirname "$_gradproof_file")" && pwd) || return 1
ASCEND_CUSTOM_PATH=$ASCEND_HOME_PATH
ASCEND_TOOLKIT_HOME=$ASCEND_HOME_PATH
export ASCEND_HOME_PATH ASCEND_CUSTOM_PATH ASCEND_TOOLKIT_HOME
# Programs that were made for CANN meet its answers where they differ from the documents (docs/conformance.md).
export GRADPROOF_CONFORMANCE="${GRADPROOF_CONFORMANCE:-cann}"
case ":${LD_LIBRARY_PATH:-}:" in
  *":$ASCEND_HOME_PATH/lib64:"*) ;;
  *) LD_LIBRARY_PATH=$ASCEND_HOME_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
esac
# Where CMake's find_package and pkg-config find gradproof.
case ":${CMAKE_PREFIX_PATH:-}:" in
  *":$ASCEND_HOME_PATH:"*) ;;
  *) CMAKE_PREFIX_PATH=$ASCEND_HOME_PATH${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH} ;;
esac
for _gradproof_folder in "$ASCEND_HOME_PATH/lib/pkgconfig" "$ASCEND_HOME_PATH/lib/$(uname -m)-linux-gnu/pkgconfig"; do
  [ -d "$_gradproof_folder" ] || continue
  case ":${PKG_CONFIG_PATH:-}:" in
    *":$_gradproof_folder:"*) ;;
    *) PKG_CONFIG_PATH=$_gradproof_folder${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} ;;
  esac
done
export LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH
unset _gradproof_file _gradproof_folder
