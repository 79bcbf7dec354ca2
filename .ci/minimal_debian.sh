# A minimal Debian 12 in a folder, from this machine's own apt configuration, and commands run in it. Sourced by run.
#
# debian_make ROOT CACHES   makes it, with ROOT's last commit in /project; on failure debian_why_not says why
# debian_run COMMAND…       runs a command there, in /project, without input
#
# Commands run in name spaces of their own for mounts and processes. So all mounts vanish and all processes
# end with the command, however it ends, and nothing is ever mounted where the machine could see it.
debian_why_not=
debian_tree=
debian_child=

debian_make() {
  local root=$1 caches=$2 sources
  debian_shared=$(dirname "$root")/shared
  debian_packages=$caches/gradproof-ci/packages
  debian_ccache=${CCACHE_DIR:-$caches/ccache}
  trap debian_remove EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  debian_possible || return
  mapfile -t sources < <(debian_sources)
  [ ${#sources[@]} -gt 0 ] || { debian_why_not="apt's sources here have no Debian 12"; return 1; }

  debian_why_not="no room in $caches"
  mkdir -p "$debian_packages" "$debian_ccache" || return
  find "$caches/gradproof-ci" -maxdepth 1 -name 'tree.*' -mmin +1440 -exec rm -rf --one-file-system {} +
  find "$debian_packages" -name '*.deb' -mtime +30 -delete  # newer versions have come
  debian_tree=$(mktemp -d "$caches/gradproof-ci/tree.XXXXXX") || return
  chmod 755 "$debian_tree"  # apt downloads as a user of its own
  debian_acquire >"$debian_tree.apt"

  debian_why_not="mmdebstrap failed"
  # shellcheck disable=SC2016  # $1 is the hook's
  mmdebstrap --quiet --variant=minbase --aptopt="$debian_tree.apt" --skip=essential/unlink \
    --setup-hook='mkdir -p "$1"/var/cache/apt/archives' \
    --setup-hook="cp -t \"\$1\"/var/cache/apt/archives '$debian_packages'/*.deb 2>/dev/null || true" \
    --customize-hook="cp -n -t '$debian_packages' \"\$1\"/var/cache/apt/archives/*.deb" \
    bookworm "$debian_tree" "${sources[@]}" </dev/null || return

  debian_why_not="the clone could not be copied"
  debian_keys "${sources[@]}" && cp /etc/resolv.conf /etc/hosts "$debian_tree/etc/" &&
    mkdir "$debian_tree"/{ccache,project,shared} &&
    git -c safe.directory="$root" -C "$root" archive HEAD | tar -x -C "$debian_tree/project"
}

# Whether this machine allows it; installs mmdebstrap where that is missing.
debian_possible() {
  debian_why_not="this is not root"
  [ "$(id -u)" -eq 0 ] || return
  debian_why_not="no apt-get"
  command -v apt-get >/dev/null || return
  debian_why_not="no name spaces for mounts and processes"
  unshare --mount --pid --fork --kill-child --mount-proc true 2>/dev/null || return
  debian_why_not="no commit to take, or no git"
  git -c safe.directory="$root" -C "$root" rev-parse --quiet --verify HEAD >/dev/null || return
  debian_why_not="mmdebstrap cannot be installed"
  command -v mmdebstrap >/dev/null || debian_apt install -y --no-install-recommends mmdebstrap ||
    { debian_apt update && debian_apt install -y --no-install-recommends mmdebstrap; } || return
  debian_why_not=
}

debian_apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" </dev/null >/dev/null; }

# The files among apt's sources that have Debian 12.
debian_sources() {
  local list
  list=$(apt-get indextargets --format '$(CODENAME) $(SOURCESENTRY)' 'Created-By: Packages' 'Origin: Debian')
  if [ -z "$list" ]; then  # their lists were never fetched
    debian_apt update || true
    list=$(apt-get indextargets --format '$(CODENAME) $(SOURCESENTRY)' 'Created-By: Packages' 'Origin: Debian')
  fi
  sed -n 's/^bookworm[^ ]* \(.*\):[0-9]*$/\1/p' <<<"$list" | sort -u
}

# How this machine's apt fetches: proxies, retries, checks. Proxies in the environment are passed on as such.
debian_acquire() {
  apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets\| "";$' || true
}

# The keys that the sources name and that apt trusts, and for https what this machine's TLS trusts.
debian_keys() {
  local key
  for key in /etc/apt/trusted.gpg.d/* $(grep -hoiE 'signed-by[:=] *[^] ]+' "$@" | sed 's/^[^:=]*[:=] *//'); do
    [ ! -f "$key" ] || [ -e "$debian_tree$key" ] || install -D -m 644 "$key" "$debian_tree$key"
  done
  grep -qs 'https://' "$@" || return 0
  install -D -m 644 -t "$debian_tree/etc/ssl/certs" /etc/ssl/certs/ca-certificates.crt
}

debian_run() {
  local status=0
  cp -n -t "$debian_tree/var/cache/apt/archives" "$debian_packages"/*.deb
  # Should this shell be killed, its child is, and with that everything in the name space.
  setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
    bash "$root/.ci/inside.sh" "$debian_tree" "$debian_ccache" "$debian_shared" "$@" </dev/null &
  debian_child=$!
  wait $debian_child || status=$?
  debian_child=
  # Under another name first: another run may be reading.
  local package name
  for package in "$debian_tree"/var/cache/apt/archives/*.deb; do
    name=$(basename "$package")
    [ -e "$debian_packages/$name" ] ||
      { cp "$package" "$debian_packages/.$$" && mv "$debian_packages/.$$" "$debian_packages/$name"; }
  done
  return $status
}

debian_remove() {
  if [ -n "$debian_child" ]; then
    kill -KILL "$debian_child" 2>/dev/null || true
    wait "$debian_child" 2>/dev/null || true
  fi
  [ -z "$debian_tree" ] || rm -rf --one-file-system "$debian_tree" "$debian_tree.apt"
}
