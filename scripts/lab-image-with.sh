#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The node image of the lab with more packages, as a separate layer, so that other labs are not larger or slower.
#
#   scripts/lab-image-with.sh PACKAGE...          build it if it is missing, then remove older ones
#   scripts/lab-image-with.sh --name PACKAGE...   print its name: the hash of this file, the base and the packages
#
# The packages come from the archives of the base image. No step runs in a container; all use chroot.
set -euo pipefail

here=$(dirname "$0")
# shellcheck source=scripts/lab-archives.sh
. "$here/lab-archives.sh"
ask=${1:-}
[ "$ask" != --name ] || shift
[ $# -gt 0 ] || { echo "usage: $0 [--name] PACKAGE..." >&2; exit 2; }
base=$("$here/lab-image.sh" --name)
packages=$(printf '%s\n' "$@" | sort -u | tr '\n' ' ')
# Images of one base stay side by side: labs with other packages use them in turn.
content=${base##*:} content=${content%%-*}
name=localhost/fnn-node-more:$content-$({ cat "$0"; echo "${base%-*} $packages"; } | sha256sum | cut -c1-12)-$(checkout_digest)
if [ "$ask" = --name ]; then
  echo "$name"
  exit
fi

"$here/lab-image.sh"
if ! adopt_image "$name"; then
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/fnn-lab-image.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  write_apt_settings /mnt/ca.crt > "$work/apt.conf"
  copy_certificates "$work/ca.crt"
  # No service starts during installation, and the services of these packages do not start at boot; labs start them.
  cat > "$work/install" << 'END'
set -e
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
mkdir -p /etc/systemd/system-preset
echo 'disable *' > /etc/systemd/system-preset/00-fnn-lab.preset
export APT_CONFIG=/mnt/apt.conf DEBIAN_FRONTEND=noninteractive LC_ALL=C
install() {
  apt-get -q -y -o Dpkg::Options::=--force-unsafe-io -o Dpkg::Options::=--path-exclude='/usr/share/doc/*' \
    -o Dpkg::Options::=--path-exclude='/usr/share/man/*' install "$@"
}
apt-get -q update
install "$@"
# The base image omits files of packages that its MPIs pull in, such as compilers other than C. Reinstall requested
# packages and their dependencies if files are missing.
apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances "$@" | sed -n 's/^\([a-z0-9][^:]*\).*/\1/p' | sort -u > /tmp/wanted
dpkg --verify | sed -n 's/^missing *\(c \)\? *//p' | grep -E '^/usr/(bin|lib/gcc|lib/[^/]*-linux-[^/]*)/' |
  xargs -r dpkg -S 2> /dev/null | sed 's/[:,].*//' | sort -u > /tmp/incomplete
again=$(comm -12 /tmp/wanted /tmp/incomplete)
[ -z "$again" ] || install --reinstall $again
rm -f /tmp/wanted /tmp/incomplete
apt-get clean
find /var/log -type f -delete  # directories there belong to packages
rm -rf /var/lib/apt/lists/* /usr/sbin/policy-rc.d /etc/systemd/system-preset/00-fnn-lab.preset
rm -f /usr/lib/sysctl.d/*.conf
END
  # apt's input from this machine lies in a directory that is mounted only while apt runs; nothing stays in the image.
  echo "==> Node image $name: $base with $packages"
  printf 'FROM %s\nRUN sh /mnt/install %s\n' "$base" "$packages" > "$work/Containerfile"
  podman build --isolation chroot --network host --layers=false --tag "$name" --volume "$work:/mnt:ro" "$work" > "$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
  echo "==> Built in $SECONDS s"
fi
drop_older_images "$name" "${name%%:*}:$content"
