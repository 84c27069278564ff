# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the kernel of this node what the files in /etc/fnn say: `fnn-net apply|diff|status`.

`fnn-net confirm|rollback|release` are about changes of those files: rollback.py tells of them.

The files are the plan for one node; the kernel is the truth of the moment. This program reads both, computes
the difference as lines for `ip -batch`, and runs them. It has five parts and a command:

    plan, plan_files                node, links, neighbors, routes and one sysctl file -> Plan (every bad line is told
                                    at once)
    kernel                          `ip -j` and /proc/sys -> Kernel
    compare, *_changes, difference  Plan, Kernel -> Difference; pure, so that tests need no kernel
    protect, execute                check that nothing protected is touched, run the lines, look again
    backup, originals, pending,     what a change would lose, and the way back: a timer, a unit at boot
    release, rollback, managers
    command                         the command line

What it owns, and therefore may change or delete: NICs with an alias `fnn:<switch>`, the identity device with
the alias `fnn-identity` (and its veth peer), routes of one protocol number (196), and the Multipath TCP endpoints on
those NICs. All else stays as it is.
A NIC is found by its MAC, because names change with a kernel or a slot; the alias remembers what we took, so
a NIC that left the plan is found and released even after the plan has forgotten its MAC.

A tiny example. The plan wants `k01` (10.77.0.2, 02:f0:00:00:01:00) as a neighbor on the switch `red`, and
somebody deleted that entry. `fnn-net diff` prints

    {"changed": true, "commands": ["neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent"], ...}

`apply` runs that line and prints the same; a second `apply` prints `"changed": false`.

Three manners of the kernel shape the order of the lines (each seen on a real kernel):
  * Turning ARP off or taking a NIC down drops all its neighbors, permanent ones too. So links come first, and
    neighbors of a NIC whose ARP flag changes are planned as if there were none.
  * Deleting an address drops the routes that name it as source; deleting the last address of a device drops
    its routes and neighbors; deleting a primary address drops secondaries of the same subnet. So stale
    addresses go before wanted ones come, and what falls with them is planned anew.
  * `ip` filters some neighbors and routes by default or when asked for one device. So everything is read and
    the choosing is done here.
Whatever these rules miss is caught by looking again after the lines ran: what is still different is done once
more, and what resists is an error.

Exit codes: 0 done, 1 the kernel or a command failed or a NIC is missing, 2 bad files, 3 refused, because an
interface would be touched that carries the SSH connection or was named with --protect, or because a new address or
route would draw that connection into the fabric.

Standard library only, Python 3.9, and no import but from the room `shared`: it must run at boot on a node that has
nothing else of ours. There it lies in /usr/local/lib/fnn/fnn/node/net; /usr/local/sbin/fnn-net starts it.
"""
