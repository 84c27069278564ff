#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The main job of `make site`: design the cluster of an inventory, boot it as containers, configure and prove it.
# Ends with the summary page of this run, also when a node did not answer. The exit status is Ansible's.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

inventory=${1:-inventory/lab}

# The page shown at the end is this run's, or there is none: a run that stops early writes none.
rm -f build/*/summary.txt

.venv/bin/ansible-playbook -i "$inventory" playbooks/design.yml playbooks/lab.yml site.yml
status=$?

for page in build/*/summary.txt; do
  [ -e "$page" ] && cat "$page"
done
exit "$status"
