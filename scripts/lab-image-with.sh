#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The node image of the lab with more packages, as a layer on top, so that labs that do not want them do not pay.
#
#   scripts/lab-image-with.sh PACKAGE...          build it unless it is there, then drop older ones
#   scripts/lab-image-with.sh --name PACKAGE...   print its name; the tag is the hash of this file, of the base, of these
#
# The packages come from where the base image got its own. Nothing runs in a container: the steps are chroot'ed.
set -euo pipefail

base_script=$(dirname "$0")/lab-image.sh
ask=${1:-}
[ "$ask" != --name ] || shift
[ $# -gt 0 ] || { echo "usage: $0 [--name] PACKAGE..." >&2; exit 2; }
base=$("$base_script" --name)
packages=$(printf '%s\n' "$@" | sort -u | tr '\n' ' ')
name=localhost/fnn-node-more:$({ cat "$0"; echo "$base $packages"; } | sha256sum | cut -c1-12)
if [ "$ask" = --name ]; then
  echo "$name"
  exit
fi

"$base_script"
if ! podman image exists "$name"; then
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/fnn-lab-image.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  { echo 'APT::Install-Recommends "false";'
    echo 'Acquire::Languages "none";'
    apt-config dump | grep -E '^Acquire::https?::(Proxy|.*::Proxy|Verify)' || true
  } > "$work/apt.conf"
  # No service starts while packages are set up, and none of these at boot: whoever wants one starts it.
  cat > "$work/install" << 'END'
set -e
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
mkdir -p /etc/systemd/system-preset
echo 'disable *' > /etc/systemd/system-preset/00-fnn-lab.preset
export APT_CONFIG=/mnt/apt.conf DEBIAN_FRONTEND=noninteractive LC_ALL=C
apt-get -q update
apt-get -q -y -o Dpkg::Options::=--force-unsafe-io -o Dpkg::Options::=--path-exclude='/usr/share/doc/*' \
  -o Dpkg::Options::=--path-exclude='/usr/share/man/*' install "$@"
apt-get clean
rm -rf /var/lib/apt/lists/* /var/log/* /usr/sbin/policy-rc.d /etc/systemd/system-preset/00-fnn-lab.preset
rm -f /usr/lib/sysctl.d/*.conf
END
  # What apt in the base image needs of this machine lies in a directory that is mounted while it runs, where a root has
  # one anyway: nothing of it stays behind.
  echo "==> Node image $name: $base with $packages"
  printf 'FROM %s\nRUN sh /mnt/install %s\n' "$base" "$packages" > "$work/Containerfile"
  certificates=()
  for directory in /etc/ssl/certs /usr/share/ca-certificates; do
    [ ! -d "$directory" ] || certificates+=(--volume "$directory:$directory:ro")
  done
  podman build --isolation chroot --network host --layers=false --tag "$name" --volume "$work:/mnt:ro" \
    "${certificates[@]}" "$work" > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
  echo "==> Built in $SECONDS s"
fi
podman images --filter 'reference=localhost/fnn-node-more' --format '{{.Repository}}:{{.Tag}}' |
  { grep -vxF "$name" || true; } | while read -r image; do
    echo "==> Removing the older image $image"
    podman rmi "$image" > /dev/null 2>&1 || echo "    still used by containers: left alone"
  done
