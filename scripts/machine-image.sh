#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The disk of a virtual machine of the lab: a release of Debian with its own kernel, systemd and one network manager.
#
#   scripts/machine-image.sh RELEASE MANAGER          build it if it is missing, then remove older ones
#   scripts/machine-image.sh --path RELEASE MANAGER   print its directory: the name has a hash of these scripts
#
# MANAGER is ifupdown, networkmanager, netplan (written by cloud-init) or networkd.
#
# The directory has disk.ext4, and the kernel and initrd to boot it with. The disk has no identity: the lab writes host
# name, keys and addresses into a copy of it (module_utils/fnn/lab/machines/disk.py). All images of a release start from
# the archive base-RELEASE-HASH.tar, as debootstrap and the packages of MPI take most of the time. FNN_MACHINE_IMAGES
# names another place for them than build/machine-images.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/lab-archives.sh
. "$here/lab-archives.sh"
# shellcheck source=scripts/lab-root.sh
. "$here/lab-root.sh"

ask=${1:-}
[ "$ask" != --path ] || shift
[ $# = 2 ] || { echo "usage: $0 [--path] RELEASE MANAGER" >&2; exit 2; }
release=$1 manager=$2

declare -A MANAGERS=(
  [ifupdown]="ifupdown bridge-utils"
  [networkmanager]="network-manager"
  [netplan]="netplan.io cloud-init"
  [networkd]=""
)
[ -n "${MANAGERS[$manager]+known}" ] || fail "the manager $manager is not one of ${!MANAGERS[*]}"
packages=(
  linux-image-cloud-amd64 initramfs-tools
  systemd systemd-sysv dbus udev kmod procps sudo
  iproute2 iputils-ping ethtool nftables wireguard-tools
  openssh-server openssh-client
  python3 python3-apt
  openmpi-bin libopenmpi-dev mpich libmpich-dev gcc libc6-dev
)
# The login of the operator, who may use sudo. Its password is the same word.
operator=ops

images=${FNN_MACHINE_IMAGES:-$(dirname "$here")/build/machine-images}
content=$(cat "$here/machine-image.sh" "$here/lab-archives.sh" "$here/lab-root.sh" | sha256sum | cut -c1-12)
image=$images/$release-$manager-$content
base=$images/base-$release-$content.tar
if [ "$ask" = --path ]; then
  echo "$image"
  exit
fi
[ "$(id -u)" = 0 ] || fail "root is needed (debootstrap, mount)"
if [ -e "$image/disk.ext4" ]; then
  echo "==> Machine image $image is there"
  exit
fi
for tool in debootstrap apt-get unshare mke2fs tar; do
  command -v "$tool" > /dev/null || fail "$tool is missing; scripts/bootstrap.sh machines installs it"
done
use_private_mounts "$@"

# Settings of every machine. Its initrd has only what mounts the disk, as qemu without KVM unpacks it slowly.
write_machine_settings() {
  printf 'virtio_pci\nvirtio_blk\next4\n' > "$root/etc/initramfs-tools/modules"
  printf 'MODULES=list\nCOMPRESS=gzip\n' > "$root/etc/initramfs-tools/conf.d/lab.conf"
  printf '/dev/vda / ext4 errors=remount-ro 0 0\n' > "$root/etc/fstab"
  printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n' > "$root/etc/hosts"
  in_root useradd --create-home --shell /bin/bash --groups sudo "$operator"
  echo "$operator:$operator" | in_root chpasswd
  echo "$operator ALL=(ALL) NOPASSWD:ALL" > "$root/etc/sudoers.d/$operator"
  chmod 440 "$root/etc/sudoers.d/$operator"
  in_root systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
    e2scrub_reap.service fstrim.timer systemd-firstboot.service
  in_root systemctl --quiet disable ssh.socket nftables.service 2> /dev/null || true
  in_root systemctl --quiet enable ssh.service 2> /dev/null
}

# Leaves one network manager enabled. The addresses come with the identity of a machine.
enable_manager() {
  local networkd=enable
  [ "$manager" != ifupdown ] && [ "$manager" != networkmanager ] || networkd=disable
  in_root systemctl --quiet "$networkd" systemd-networkd.service 2> /dev/null
  in_root systemctl --quiet disable systemd-networkd-wait-online.service 2> /dev/null || true
  # cloud-init only writes the network and /etc/hosts: its other modules take a minute without KVM.
  [ "$manager" != netplan ] || cat > "$root/etc/cloud/cloud.cfg.d/90_lab.cfg" << 'END'
datasource_list: [NoCloud]
cloud_init_modules: [update_etc_hosts]
cloud_config_modules: []
cloud_final_modules: []
END
}

make_base() {
  local origin
  origin=$(find_origin)
  install_release "$origin" "$release" "${packages[@]}"
  write_machine_settings
  tar -C "$root" --numeric-owner -cf "$base.new" .
  mv "$base.new" "$base"
}

mkdir -p "$images"
work=$(mktemp -d "${TMPDIR:-/var/tmp}/fnn-machine-image.XXXXXX")
# Unmount first: rm must not delete files in a mount that a failure left behind.
trap 'umount --lazy --recursive "$work/tree" 2> /dev/null; rm -rf --one-file-system "$work" "$image.new" "$base.new"' EXIT
root=$work/tree/root
log=$work/log
mount_tree "$work/tree"

echo "==> Machine image $release $manager"
if [ -e "$base" ]; then
  tar -C "$root" -xf "$base"
else
  make_base
fi
if [ -n "${MANAGERS[$manager]}" ]; then
  echo "    ${MANAGERS[$manager]}"
  quietly in_root apt-get -q update
  # shellcheck disable=SC2086  # a list
  quietly in_root apt-get -q -y install ${MANAGERS[$manager]}
fi
enable_manager
quietly in_root update-initramfs -u -k all
remove_leftovers

mkdir -p "$image.new"
cp "$root"/boot/vmlinuz-* "$image.new/kernel"
cp "$root"/boot/initrd.img-* "$image.new/initrd"
echo "    a disk of $(du -sm "$root" | cut -f1) MB"
quietly mke2fs -q -t ext4 -d "$root" "$image.new/disk.ext4" 3G
rm -rf "$image"
mv "$image.new" "$image"
# Older images of the same kind, and older archives.
find "$images" -mindepth 1 -maxdepth 1 \( -name "$release-$manager-*" -o -name "base-$release-*" \) \
  ! -name "*-$content*" -exec rm -rf {} +
echo "==> Built in $SECONDS s"
