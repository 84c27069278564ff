#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The main job of `make site`: design the cluster of an inventory, boot it as containers, configure and prove it.
# Ends with the summary page of this run, also when a node did not answer. The exit status is Ansible's.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

inventory=${1:-inventory/lab}
playbook=.venv/bin/ansible-playbook
started=$(mktemp)
trap 'rm -f "$started"' EXIT

"$playbook" -i "$inventory" playbooks/design.yml playbooks/lab.yml site.yml
status=$?

# Only a page of this very run: a run that stopped early writes none.
find build -maxdepth 2 -name summary.txt -newer "$started" -exec cat {} +
exit "$status"
