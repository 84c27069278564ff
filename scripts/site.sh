#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The main job of `make site`: design the cluster of an inventory, boot it as containers, configure and prove it.
# Ends with the summary page of this run, even if a node did not answer. The exit status is that of Ansible.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

inventory=${1:-inventory/lab}

page_of_cluster() {
  .venv/bin/python -c 'import json, sys; print("build/" + json.load(open(sys.argv[1]))["cluster"] + "/summary.txt")' \
    "$inventory/design.json"
}

# Remove the page of an earlier run, as a run that stops early writes none.
[ ! -e "$inventory/design.json" ] || rm -f "$(page_of_cluster)"

.venv/bin/ansible-playbook -i "$inventory" playbooks/design.yml playbooks/lab.yml site.yml
status=$?

page=$(page_of_cluster) && [ -e "$page" ] && cat "$page"
exit "$status"
