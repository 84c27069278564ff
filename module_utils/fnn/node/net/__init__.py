# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the kernel of this node match the files in /etc/fnn: `fnn-net apply|diff|status`.

`fnn-net confirm|rollback|release` handle changes of those files, see rollback.py.

The files hold the plan of one node; the kernel holds the present state. This program reads both, computes
the difference as lines for `ip -batch`, and runs them. It has five parts and a command:

    plan, plan_files                node, links, nics, neighbors, routes and one sysctl file -> Plan (reports all bad
                                    lines at once)
    kernel                          `ip -j` and /proc/sys -> Kernel
    compare, *_changes, difference  Plan, Kernel -> Difference; pure, so that tests need no kernel
    ssh, protected, protect,        find what may carry the connection of Ansible, refuse to touch it; run the lines,
    execute                         compare again
    backup, originals, pending,     the state before a change, and its rollback: a timer, a unit at boot
    release, rollback, managers
    command                         the command line

fnn-net owns, and therefore may change or delete: NICs with an alias `fnn:<switch>`, the identity device with
the alias `fnn-identity` (and its veth peer), routes of one protocol number (196), and the Multipath TCP endpoints on
those NICs. All else stays as it is.
A NIC is found by its MAC, because names change with a kernel or a slot. The alias marks the NICs that fnn-net took, so
a NIC that left the plan is found and released although the plan no longer lists its MAC.

A tiny example. The plan has `k01` (10.77.0.2, 02:f0:00:00:01:00) as a neighbor on the switch `red`, and that
entry was deleted from the kernel. `fnn-net diff` prints

    {"changed": true, "commands": ["neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent"], ...}

`apply` runs that line and prints the same; a second `apply` prints `"changed": false`.

Three properties of the kernel and of `ip` determine the order of the lines (each observed on a real kernel):
  * Turning ARP off or taking a NIC down drops all its neighbors, including permanent ones. So links come first,
    and a NIC whose ARP flag changes is treated as if it had no neighbors.
  * Deleting an address drops the routes that name it as source; deleting the last address of a device drops
    its routes and neighbors; deleting a primary address drops secondaries of the same subnet. So stale
    addresses are deleted before planned ones are added, and the dropped entries are set again.
  * `ip` filters some neighbors and routes by default or when asked for one device. So everything is read and
    filtered here.
After the lines ran, fnn-net compares again: it runs lines for what still differs, and a difference that remains
is an error.

Exit codes: 0 done, 1 the kernel or a command failed or a NIC is missing, 2 bad files, 3 refused, because an
interface would be touched that carries the SSH connection, has a default route or was named with --protect, or because
a new address or route would divert that connection into the fabric.

Standard library only, Python 3.9, and no import but from the room `shared` and from `node/owners`, which `status`
asks: it must run at boot on a node without any other part of the toolkit. It is installed in
/usr/local/lib/fnn/fnn/node/net; /usr/local/sbin/fnn-net starts it.
"""
