#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Finds a container runtime that can boot a lab node here: tries each installed one and stores the first that works.
#
#   scripts/lab-runtime.sh FILE    FILE stores the result; while that runtime is installed, the test is skipped
#
# Only a test shows it: crun refuses a machine with hybrid cgroups; runc may be missing, or too old for the newest.
set -euo pipefail

file=$1
image=$("$(dirname "$0")/lab-image.sh" --name)

if [ -s "$file" ] && command -v "$(cat "$file")" > /dev/null; then
  exit
fi

reasons=
for runtime in crun runc; do
  if ! path=$(command -v "$runtime"); then
    reasons+="  $runtime: not installed"$'\n'
  elif reason=$(timeout 60 podman --log-level error --runtime "$path" run --rm --network none --systemd always \
    --security-opt apparmor=unconfined --security-opt seccomp=unconfined --security-opt unmask=ALL \
    --ulimit nofile=1024:1024 --ulimit nproc=10000:10000 "$image" /bin/true 2>&1); then
    mkdir -p "$(dirname "$file")"
    echo "$runtime" > "$file"
    echo "==> Container runtime: $runtime"
    exit
  else
    reasons+="  $runtime: $reason"$'\n'
  fi
done
printf 'lab-runtime: no container runtime can start %s:\n%s' "$image" "$reasons" >&2
exit 1
