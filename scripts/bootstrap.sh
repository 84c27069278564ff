#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs and lists the system packages that are missing for one purpose. Does nothing if all are installed.
#
#   scripts/bootstrap.sh controller|lab|machines|test|full
#
# controller: the Python environment and the designer    lab: containers as nodes    test: the test tools
# machines: virtual machines as nodes
# full: what only `make test-full` and `make bench` need
set -euo pipefail

declare -A PACKAGES=(
  [controller]="python3-venv cmake make g++ nlohmann-json3-dev libcli11-dev libssl-dev openssh-client iproute2"
  [lab]="podman runc debootstrap iproute2 netcat-openbsd openssh-client procps ca-certificates
    dnsmasq-base iptables nftables"
  [machines]="qemu-system-x86 qemu-utils e2fsprogs"
  [test]="clang-19 libgtest-dev libopenmpi-dev openmpi-bin shellcheck dnsmasq-base isc-dhcp-client systemd"
  [full]="clang libclang-rt-dev qemu-system-x86 qemu-utils e2fsprogs sshpass cpio graphviz python3-networkx
    python3-simgrid slurmctld chromium prometheus"
)

purpose=${1:-}
wanted=${PACKAGES[$purpose]:-}
if [ -z "$wanted" ]; then
  echo "usage: scripts/bootstrap.sh ${!PACKAGES[*]}" >&2
  exit 2
fi

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || {
  echo "Python 3.11 or newer is needed, $python is $("$python" --version 2> /dev/null || echo missing)." >&2
  echo "If a newer one is installed beside it, name it: make PYTHON=python3.12 ..." >&2
  exit 1
}

if ! command -v apt-get > /dev/null; then
  echo "No apt-get here. Install these, or what your distribution calls them, and touch build/stamps/$purpose-packages:" >&2
  echo "  $wanted" >&2
  exit 1
fi

# make may run two of these at a time, and apt-get ends at once if another one reads the lists.
exec 9< "$0"
flock 9
missing=()
for package in $wanted; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo > /dev/null || {
    echo "Run as root, or install sudo: these packages are missing: ${missing[*]}" >&2
    exit 1
  }
  root=(sudo)
fi

echo "==> System packages for $purpose: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${root[@]}" apt-get update && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}"; } > "$log" 2>&1; then
  tail -n 30 "$log" >&2
  exit 1
fi
