#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The main job of `make site`: design the cluster of an inventory, boot it as a lab, configure and prove it.
# Ends with the summary page of this run, even if a node did not answer. The exit status is that of Ansible.
set -euo pipefail
cd "$(dirname "$0")/.."

export FNN_INVENTORY=${1:-inventory/lab}
step() {
  echo "==> ./fnn $*"
  ./fnn "$@"
}

step design
step lab up
step site
