#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The image the lab's nodes boot from, built from the distribution's package mirror alone: no container registry.
#
#   scripts/lab-image.sh          build it if it is missing, then remove older ones
#   scripts/lab-image.sh --name   print its name: the hash of its scripts, so that a change makes a new image, and the
#                                 hash of the checkout (lab-archives.sh)
#
# The image has the release of this machine, as apt already has its mirror, keys and proxy. FNN_LAB_SUITE selects
# another release of the same distribution from the same mirror, such as trixie on Debian 12.
# debootstrap makes a minimal root; apt inside it adds the rest, with security updates, which debootstrap leaves out.
# Everything runs in a private mount namespace, so that no failure leaves a mount behind.
set -euo pipefail

here=$(dirname "$0")
# shellcheck source=scripts/lab-archives.sh
. "$here/lab-archives.sh"
# shellcheck source=/dev/null
suite=${FNN_LAB_SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
content=$(cat "$0" "$here/lab-archives.sh" | sha256sum | cut -c1-12)
name=localhost/fnn-node:$content-$suite-$(checkout_digest)
if [ "${1:-}" = --name ]; then
  echo "$name"
  exit
fi

packages=(
  systemd systemd-sysv dbus kmod procps sudo
  iproute2 iputils-ping ethtool
  openssh-server openssh-client
  python3
  python3-apt
  openmpi-bin libopenmpi-dev mpich libmpich-dev gcc libc6-dev
)

fail() { echo "lab-image: $*" >&2; exit 1; }

in_root() {  # COMMAND...: run in the new root, with /proc while it runs
  # shellcheck disable=SC2016  # the inner shell's
  unshare --mount --propagation private sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc"
    exec chroot "$root" env -i PATH="$PATH" HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
      ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"' in_root "$root" "$@"
}

write_build_settings() {
  mkdir -p "$root/etc/dpkg/dpkg.cfg.d" "$root/etc/apt/apt.conf.d" "$root/usr/sbin"
  # A half-written image is deleted, so dpkg needs no fsync. Without documentation, static MPI libraries and compilers
  # other than C, the image has a third of the size.
  cat > "$root/etc/dpkg/dpkg.cfg.d/fnn-node" << 'EOF'
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
EOF
  copy_certificates "$root/etc/apt/fnn-build.crt"
  write_apt_settings /etc/apt/fnn-build.crt > "$root/etc/apt/apt.conf.d/90fnn-build"
  # No service starts during installation.
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
}

# Settings of a lab node besides its packages. The lab mounts /lab: the host key of the node, the key that may log in as
# root, and the address of mg0 for the resident network manager.
write_node_settings() {
  cat > "$root/etc/ssh/sshd_config.d/lab.conf" << 'EOF'
HostKey /lab/ssh_host_ed25519_key
MaxStartups 100
PasswordAuthentication no
PermitRootLogin prohibit-password
UseDNS no
Match User root
  AuthorizedKeysFile /lab/authorized_keys .ssh/authorized_keys
EOF
  ln -s /lab/10-mg0.network "$root/etc/systemd/network/10-mg0.network"
  printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n' > "$root/etc/hosts"
  # Nodes share the kernel of this machine, so their packages must not change sysctls at boot.
  rm -f "$root"/usr/lib/sysctl.d/*.conf "$root"/etc/sysctl.d/*.conf "$root/etc/sysctl.conf"
  # Nodes have no terminals, disks or kernel modules of their own.
  in_root systemctl --quiet set-default multi-user.target
  in_root systemctl --quiet mask getty.target apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
    e2scrub_all.timer e2scrub_reap.service fstrim.timer systemd-firstboot.service systemd-modules-load.service \
    dev-hugepages.mount sys-fs-fuse-connections.mount sys-kernel-debug.mount sys-kernel-tracing.mount
  in_root systemctl --quiet disable ssh.socket 2> /dev/null || true
  in_root systemctl --quiet enable ssh.service systemd-networkd.service 2> /dev/null
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

[ "$(id -u)" = 0 ] || fail "root is needed (debootstrap, podman)"
for tool in podman debootstrap apt-get unshare; do
  command -v "$tool" > /dev/null || fail "$tool is missing; scripts/bootstrap.sh lab installs it"
done
if adopt_image "$name"; then
  echo "==> Node image $name is there"
  drop_older_images "$name" "${name%%:*}:$content"
  exit
fi
if [ "${FNN_LAB_IMAGE_MOUNTS:-}" != private ]; then
  FNN_LAB_IMAGE_MOUNTS=private exec unshare --mount --propagation private "$0"
fi

# shellcheck source=/dev/null
. /etc/os-release
case $ID in
  debian) origin=Debian ;;
  ubuntu) origin=Ubuntu ;;
  *) fail "this machine is $ID; the node image is built on Debian or Ubuntu" ;;
esac
archives=$(list_archives "$origin" "$suite")
mirror=$(find_mirror "$origin" "$suite")
[ -n "$mirror" ] || fail "apt has no $origin archive of $VERSION_CODENAME; see /etc/apt"
[ -e "/usr/share/debootstrap/scripts/$suite" ] || fail "debootstrap has no script for the suite $suite"

work=$(mktemp -d "${TMPDIR:-/var/tmp}/fnn-lab-image.XXXXXX")
# Unmount first: rm must not delete files in a mount that a failure left behind.
trap 'umount --lazy --recursive "$work/tree" 2> /dev/null; rm -rf --one-file-system "$work"' EXIT
root=$work/tree/root
log=$work/log
mkdir "$work/tree"
# A tmpfs is quicker than a disk and needs no cleanup.
if [ "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -gt 4000000 ]; then
  mount -t tmpfs -o size=3g,mode=0755 tmpfs "$work/tree"
else
  mount --bind "$work/tree" "$work/tree"
fi
mkdir "$root"

quietly() { "$@" > "$log" 2>&1 || { tail -n 30 "$log" >&2; fail "failed: $*"; }; }

echo "==> Node image $name: $origin $suite from $mirror"
echo "    $suite base system (debootstrap)"
write_build_settings
quietly debootstrap --variant=minbase --merged-usr "$suite" "$root" "$mirror"

echo "    ${packages[*]}"
while read -r uri suite component; do
  echo "deb $(first_mirror "$uri") $suite $component"
done <<< "$archives" > "$root/etc/apt/sources.list"
quietly in_root apt-get -q update
quietly in_root apt-get -q -y upgrade
quietly in_root apt-get -q -y install "${packages[@]}"
write_node_settings
remove_leftovers

echo "    importing $(du -sm "$root" | cut -f1) MB into podman"
tar -C "$root" --numeric-owner --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -c . |
  quietly podman import --change 'CMD ["/sbin/init"]' --change 'STOPSIGNAL SIGRTMIN+3' --change 'LABEL fnn=node' - "$name"
echo "==> Built in $SECONDS s"
drop_older_images "$name" "${name%%:*}:$content"
