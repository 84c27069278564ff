#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests the promise of the README: runs its two commands in a clean clone of this repository, in a fresh system of one
# Debian release.
#
#   scripts/try-suite.sh SUITE [COMMAND...]    SUITE is bookworm or trixie; COMMAND instead of the two, e.g. make setup
#
# The system is a root made by debootstrap, bind-mounted onto itself, with its own /proc, /sys, /dev and /run. All but
# the kernel and the network comes from the release. Mirror, proxy and certificates are those of apt on this machine;
# the package index is that of its pip. `make site` leaves a lab; the script removes it at the end.
#
# FNN_TRY_ROOT names a directory that the script keeps for the next run; without it, the root is removed. Uncommitted
# changes are not tested. The exit status is that of the first command that fails.
set -euo pipefail

fail() { echo "try-suite: $*" >&2; exit 2; }

suite=${1:-}
[ -n "$suite" ] || { echo "usage: $0 SUITE [COMMAND...]" >&2; exit 2; }
shift
commands=("make site" "make test")
[ $# -eq 0 ] || commands=("$*")
[ "$(id -u)" = 0 ] || fail "root is needed (debootstrap, mounts)"
for tool in debootstrap apt-get unshare git; do
  command -v "$tool" > /dev/null || fail "$tool is missing; scripts/bootstrap.sh lab installs it"
done
[ -e "/usr/share/debootstrap/scripts/$suite" ] || fail "debootstrap has no script for the suite $suite"
here=$(cd "$(dirname "$0")/.." && pwd)

# A private mount namespace: a failure leaves no mount behind, and this machine does not see the mounts of the test.
if [ "${FNN_TRY_MOUNTS:-}" != private ]; then
  FNN_TRY_MOUNTS=private exec unshare --mount --propagation private "$0" "$suite" "$@"
fi

# shellcheck source=scripts/lab-archives.sh
. "$here/scripts/lab-archives.sh"

kept=${FNN_TRY_ROOT:-}
work=${kept:-$(mktemp -d "${TMPDIR:-/var/tmp}/fnn-try-suite.XXXXXX")}
root=$work/root
log=$work/log
mkdir -p "$work"

clean_up() {
  [ -z "${keeper_PID:-}" ] || kill "$keeper_PID"
  umount --lazy --recursive "$root" 2> /dev/null || true
  [ -n "$kept" ] || rm -rf --one-file-system "$work"
}
trap clean_up EXIT

quietly() { "$@" > "$log" 2>&1 || { tail -n 30 "$log" >&2; fail "failed: $*"; }; }

make_root() {
  local mirror
  [ ! -e "$root/etc/debian_version" ] || return 0
  mirror=$(find_mirror Debian "$suite")
  [ -n "$mirror" ] || fail "apt has no archive of Debian; see /etc/apt"
  echo "==> $suite from $mirror"
  quietly debootstrap --variant=minbase --include=ca-certificates,git,make,python3,sudo "$suite" "$root" "$mirror"
}

# Copies this machine's settings for package downloads. They are read at run time; no host is hardcoded.
copy_settings() {
  local file
  list_archives Debian "$suite" | while read -r uri release component; do
    echo "deb $(first_mirror "$uri") $release $component"
  done > "$root/etc/apt/sources.list"
  apt-config dump | { grep -E '^Acquire::https?::(Proxy|.*::Proxy|Verify|CaInfo)' || true; } > "$root/etc/apt/apt.conf.d/90fnn-try"
  for file in /etc/pip.conf /etc/resolv.conf /etc/hosts; do
    [ ! -e "$file" ] || cp --dereference "$file" "$root$file"
  done
  mkdir -p "$root/usr/local/share/ca-certificates" "$root/etc/ssl/certs"
  [ ! -e /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
}

mount_root() {
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs sysfs "$root/sys"
  mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs -o mode=0755 tmpfs "$root/run"
  mkdir -p "$root/run/lock"
}

# A process that holds a mount namespace whose root is the new one (pivot_root(2)). After chroot(2) the namespace would
# keep the root of this machine, and a process that joins it, as `podman exec` does, would be in the wrong root.
start_namespace() {
  coproc keeper {
    exec unshare --mount --propagation private sh -ec \
      'cd "$0"; mkdir -p mnt; pivot_root . mnt; umount --lazy /mnt; echo ready; exec sleep infinity' "$root"
  }
  read -r _ <&"${keeper[0]}" || fail "no mount namespace for $root"
}

# Of the environment, only settings of pip and proxies, and CI, are passed on.
in_root() {
  local passed=()
  while IFS= read -r name; do passed+=("$name=${!name}"); done < <(compgen -e | grep -E '^(PIP_|https?_proxy$|no_proxy$|CI$)')
  nsenter --mount --target "$keeper_PID" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    LC_ALL=C.UTF-8 "${passed[@]}" "$@"
}

make_root
copy_settings
mount_root
start_namespace
rm -rf --one-file-system "$root/srv/fnn"
quietly git clone --quiet --no-hardlinks "$here" "$root/srv/fnn"
status=0
for command in "${commands[@]}"; do
  echo "==> $suite: $command"
  start=$SECONDS
  # No pipe, so that the status is that of the command. A separate shell, as the command may have several words.
  in_root sh -c "cd /srv/fnn && $command" < /dev/null || status=$?
  echo "==> $suite: $command ended with status $status after $((SECONDS - start)) s"
  [ "$status" = 0 ] || break
done
[ ! -e "$root/srv/fnn/build/stamps/lab-packages" ] || in_root make -s -C /srv/fnn lab-down < /dev/null > "$log" 2>&1 || tail -n 5 "$log" >&2
exit "$status"
