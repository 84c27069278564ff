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
set -euo pipefail

here=$(dirname "$0")
# shellcheck source=scripts/lab-archives.sh
. "$here/lab-archives.sh"
# shellcheck source=scripts/lab-root.sh
. "$here/lab-root.sh"
# shellcheck source=/dev/null
suite=${FNN_LAB_SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
content=$(cat "$0" "$here/lab-archives.sh" "$here/lab-root.sh" | sha256sum | cut -c1-12)
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
  iperf3 hpcc libblas3
)

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

[ "$(id -u)" = 0 ] || fail "root is needed (debootstrap, podman)"
for tool in podman debootstrap apt-get unshare; do
  command -v "$tool" > /dev/null || fail "$tool is missing; scripts/bootstrap.sh lab installs it"
done
if adopt_image "$name"; then
  echo "==> Node image $name is there"
  drop_older_images "$name" "${name%%:*}:$content"
  exit
fi
use_private_mounts "$@"

origin=$(find_origin)
work=$(mktemp -d "${TMPDIR:-/var/tmp}/fnn-lab-image.XXXXXX")
# Unmount first: rm must not delete files in a mount that a failure left behind.
trap 'umount --lazy --recursive "$work/tree" 2> /dev/null; rm -rf --one-file-system "$work"' EXIT
root=$work/tree/root
log=$work/log
mount_tree "$work/tree"

echo "==> Node image $name: $origin $suite"
install_release "$origin" "$suite" "${packages[@]}"
write_node_settings
remove_leftovers

echo "    importing $(du -sm "$root" | cut -f1) MB into podman"
tar -C "$root" --numeric-owner --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -c . |
  quietly podman import --change 'CMD ["/sbin/init"]' --change 'STOPSIGNAL SIGRTMIN+3' --change 'LABEL fnn=node' - "$name"
echo "==> Built in $SECONDS s"
drop_older_images "$name" "${name%%:*}:$content"
