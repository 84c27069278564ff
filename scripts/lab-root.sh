#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions for the scripts that build images of the lab, which source it: the root directory $root of a release, made
# by debootstrap and apt. Callers set $root and $log, and run in a private mount namespace (use_private_mounts).

root='' log=''

fail() { echo "$(basename "$0" .sh): $*" >&2; exit 1; }

quietly() { "$@" > "$log" 2>&1 || { tail -n 30 "$log" >&2; fail "failed: $*"; }; }

in_root() {  # COMMAND...: run in the new root, with /proc while it runs
  # shellcheck disable=SC2016  # the inner shell's
  unshare --mount --propagation private sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc"
    exec chroot "$root" env -i PATH="$PATH" HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
      ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"' in_root "$root" "$@"
}

# Runs this script again in a private mount namespace, so that no failure leaves a mount behind.
use_private_mounts() {  # ARGUMENTS of the script
  if [ "${FNN_LAB_IMAGE_MOUNTS:-}" != private ]; then
    FNN_LAB_IMAGE_MOUNTS=private exec unshare --mount --propagation private "$0" "$@"
  fi
}

# Makes an empty directory $root, below $1. A tmpfs is quicker than a disk and needs no cleanup.
mount_tree() {  # DIRECTORY
  mkdir "$1"
  if [ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -gt 4000000 ]; then
    mount -t tmpfs -o size=3g,mode=0755 tmpfs "$1"
  else
    mount --bind "$1" "$1"
  fi
  mkdir "$root"
}

# Prints the origin that apt has for this distribution.
find_origin() {
  # shellcheck source=/dev/null
  case $(. /etc/os-release && echo "$ID") in
    debian) echo Debian ;;
    ubuntu) echo Ubuntu ;;
    *) fail "images of nodes are built on Debian or Ubuntu" ;;
  esac
}

write_build_settings() {
  mkdir -p "$root/etc/dpkg/dpkg.cfg.d" "$root/etc/apt/apt.conf.d" "$root/usr/sbin"
  # A half-written image is deleted, so dpkg needs no fsync. Without documentation, static MPI libraries and compilers
  # other than C, the image has a third of the size.
  cat > "$root/etc/dpkg/dpkg.cfg.d/fnn-node" << 'END'
force-unsafe-io
path-exclude=/usr/share/doc/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/lintian/*
path-exclude=/usr/lib/*/libmpi*.a
path-exclude=/usr/lib/*/libfmpich.a
path-exclude=/usr/lib/gcc/*/*/cc1plus
path-exclude=/usr/lib/gcc/*/*/f951
path-exclude=/usr/bin/*-lto-dump-*
END
  copy_certificates "$root/etc/apt/fnn-build.crt"
  write_apt_settings /etc/apt/fnn-build.crt > "$root/etc/apt/apt.conf.d/90fnn-build"
  # No service starts during installation.
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
}

install_release() {  # ORIGIN SUITE PACKAGE...: into $root, with the settings of the build
  local origin=$1 suite=$2 archives mirror
  shift 2
  archives=$(list_archives "$origin" "$suite")
  mirror=$(find_mirror "$origin" "$suite")
  [ -n "$mirror" ] || fail "apt has no $origin archive of $suite; see /etc/apt"
  [ -e "/usr/share/debootstrap/scripts/$suite" ] || fail "debootstrap has no script for the suite $suite"
  echo "    $suite base system (debootstrap) from $mirror"
  write_build_settings
  quietly debootstrap --variant=minbase --merged-usr "$suite" "$root" "$mirror"

  echo "    $*"
  while read -r uri suite component; do
    echo "deb $(first_mirror "$uri") $suite $component"
  done <<< "$archives" > "$root/etc/apt/sources.list"
  quietly in_root apt-get -q update
  quietly in_root apt-get -q -y upgrade
  quietly in_root apt-get -q -y install "$@"
}

# Removes identities and leftovers of the build; each node gets its own identity.
remove_leftovers() {
  in_root apt-get clean
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/cache/debconf/*-old
  # Directories in /var/log belong to packages. Without /var/log/journal, the journal stays in memory.
  find "$root/var/log" -type f -delete
  rm -rf "$root/var/log/journal"
  rm -rf "$root"/usr/share/{doc,man,info,locale,lintian}/* "$root"/tmp/* "$root"/run/*
  rm -f "$root"/etc/ssh/ssh_host_* "$root/etc/hostname" "$root/etc/resolv.conf" "$root/var/lib/dbus/machine-id"
  rm -f "$root/etc/apt/apt.conf.d/90fnn-build" "$root/etc/apt/fnn-build.crt" "$root/etc/dpkg/dpkg.cfg.d/fnn-node" "$root/usr/sbin/policy-rc.d"
  : > "$root/etc/machine-id"
}
