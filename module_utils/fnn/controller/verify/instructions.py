# SPDX-License-Identifier: GPL-3.0-or-later
"""The instructions for people who plug cables: a catalog of all messages of verify and discover that ask for an action.

A placeholder stands for a cable, a switch or a value of the action; actions.py fills it in. `cable` is the first NIC of
the action, `other` the last one; `expected`, `seen` and `place` are switches of the first, which `nic` and `the_cable`
name with its node.
"""

from __future__ import annotations

from enum import Enum, unique

_RENAME = (
    "Without touching a cable: exchange their addresses (ansible_host) in the inventory, take them out of macs.json "
    "and discover again. Or: {moves}"
)
_UNPLUG_UPLINKS = (
    "unplug the cables from {switches} to the uplink switch and run again; plug them in when the cables are right"
)
_PULL_JOINING = "find and pull the cable that joins {switches:and}"
_ONE_WAY = (
    "replace the cable, then try another port of {place}, then the NIC; a filter at the port or on the node looks the "
    "same"
)
_TRY = "try another cable, then another port of {place}"
_BETWEEN = "try another cable, then another NIC at either end"
_SAME_MAC = "(replace the NIC, or set another address), then run discover and verify again"
_DURING_RUN = "during the run: run again while the cables stay as they are"
_SET_MTU = "set it to {mtu}, or set fnn_mtu, which applies to all NICs"
_KEEP_MTU = "All NICs keep their MTU until then"
_MTU_BETWEEN = (
    "{expected} carries no frames of {mtu} bytes: try another NIC at either end, or set a smaller fnn_mtu. " + _KEEP_MTU
)
_SMALL_MTU_BETWEEN = "{expected} carries no frames of {mtu} bytes, only shorter ones; " + _BETWEEN


@unique
class Instruction(Enum):
    """text: for cables that lead into switches. between: for one that joins two nodes, which {expected}, {place} and
    {switches} then name."""

    def __init__(self, text: str, between: str | None = None) -> None:
        self.text, self.between = text, between or text

    # Cables to move
    MOVE = "{moves}"
    MOVE_NODE = "all cables of {cable.node} are misplaced; {moves}"
    MOVE_FROM_UNPLANNED = "{the_cable} leads to no planned switch; move it to {expected}"
    JOINED_NICS = (
        "{cable.name} and {other.name} hear each other and no other NIC: a cable joins them, or a switch outside of "
        "the design; plug {cable.name} into {expected}, {other.name} into {targets}"
    )
    MOVE_TWIN = (
        "{cable.node}: {other.device} and {cable.device} are both in {seen}; move the cable in {cable.device} to "
        "{expected}"
    )
    EXCHANGE_TWO_NODES = "{nodes} are exchanged. " + _RENAME
    EXCHANGE_NODES = "{places}. " + _RENAME
    PLUG = (
        "{cable.node}: plug a cable from {cable.device} into {expected}; if there is one, try another",
        "{cable.node}: plug {expected} into {cable.device}; if it is in, try another cable, then another NIC",
    )
    PLUG_BOTH = "plug in both ends of {expected}; if they are in, try another cable"
    PULL = "{cable.node}: pull {cable.device} out of {seen}; the design leaves this NIC unused"
    ADOPT_SWAPPED = (
        "{cable.node}: leave the cables of {devices} as they are; the NICs are swapped within the node, which "
        "macs.json adopts"
    )
    # The order of moves
    WAIT = "{expected} is full until {after} is out of it"
    TOGETHER = "pull it together with {cables}: each takes the port of another"

    # Two explanations
    EITHER = "what is heard has two explanations, and either makes all cables right. {choices}"

    # Satellites
    MOVE_SATELLITE = "{cable.node}: move the cable in {cable.device} from {color} to {expected}, the uplink switch"
    MOVE_SATELLITE_OR_UNPLUG = MOVE_SATELLITE + ", or unplug the cable between {color} and {expected}, if it is in"
    MOVE_SATELLITE_HERE = "{the_cable} does not lead to {expected}, the uplink switch; move it there"

    # Links that pass frames badly
    SLOW = (
        "{nic} runs at {speed} Mb/s instead of {designed}, usually {cause}; try another cable, then another port of "
        "{expected}",
        "{expected} runs at {speed} Mb/s instead of {designed}, usually {cause}; " + _BETWEEN,
    )
    HALF_DUPLEX = (
        "{nic} runs at half duplex; let both ends negotiate, or try another cable, then another port of {expected}",
        "{expected} runs at half duplex; let both ends negotiate, or " + _BETWEEN,
    )
    RECEIVES_NOTHING = "{nic} is received by the others on {place} but receives nothing: " + _ONE_WAY
    SENDS_NOTHING = "{nic} receives the others on {place} but none of them receives it: " + _ONE_WAY
    ONE_WAY_PAIR = (
        "frames pass from {other.name} to {cable.name} only: replace the cable of one, then of the other",
        "frames pass over {place} from {other.name} to {cable.name} only; a filter on a node looks the same: look for "
        "one, then " + _BETWEEN,
    )
    CHECK_PAIR = "check the cables of {cable.name} and {other.name}: frames pass in one direction only"
    SILENT = (
        "{nic} has carrier, but no frames pass in either direction: if its cable is in {expected}, check the port "
        "(blocked by spanning tree, a filter, another VLAN, dead) and try another; if it is not, plug it in there",
        "{expected} has carrier, but no frames pass in either direction: look for a filter on its nodes, then "
        + _BETWEEN,
    )
    FLAPPING = (
        "{nic} loses its carrier repeatedly; " + _TRY,
        "{place} loses its carrier repeatedly; " + _BETWEEN,
    )
    ERRORS = (
        "{nic} counts frames with errors; " + _TRY,
        "{cables} on {place}: frames with errors were counted; " + _BETWEEN,
    )
    LOSES_SENT = "{the_cable} loses {sent:.0f} % of what it sends to {place}; " + _TRY
    LOSES_RECEIVED = "{the_cable} loses {received:.0f} % of what it receives from {place}; " + _TRY
    LOSES_BOTH = (
        "{the_cable} loses {sent:.0f} % of what it sends to {place} and {received:.0f} % of what it receives from "
        "{place}; " + _TRY
    )
    PAIR_LOSES = (
        "frames between {cable.name} and {other.name} are lost, up to {lost:.0f} %; try another cable for one, then "
        "for the other, then other ports of {place}",
        "{place} loses up to {lost:.0f} % of the frames; " + _BETWEEN,
    )
    SWITCH_LOSES = "{place} loses {lost:.0f}% of the frames between all its NICs: replace it, or check its load"
    ISOLATED = (
        "{switches} passes no frames between {between}: switch off the isolation of these ports (protected ports, "
        "private VLAN), or move their cables to other ports of {switches}"
    )

    # Cables between nodes
    SWITCH_ON = (
        "{node} gave no answer, and no cable to it has carrier: switch it on; if it is on, plug in both ends of its "
        "cables"
    )

    # MTU: requested by fnn_mtu, and that of the NICs
    MTU_REFUSED = (
        "{nic} on {expected} takes no frames of {mtu} bytes; replace it, or set fnn_mtu to what it takes. " + _KEEP_MTU
    )
    MTU_OF_SWITCH = (
        "{expected} carries no frames of {mtu} bytes between {cables}: allow jumbo frames on {expected}, or set a "
        "smaller fnn_mtu. " + _KEEP_MTU,
        _MTU_BETWEEN,
    )
    MTU_OF_LINK = (
        "{nic} carries no frames of {mtu} bytes {directions} {expected}: allow jumbo frames at that port of "
        "{expected}, or try another cable or port. " + _KEEP_MTU,
        _MTU_BETWEEN,
    )
    MTU_TO_SET = "leave the cables of {cables} as they are: their MTU is {mtu}, and the network stage sets {planned}"
    MTU_OF_ONE = (
        "{nic} has an MTU of {own}, other NICs on {expected} one of {mtu}; " + _SET_MTU,
        "{nic} has an MTU of {own}, the other end of {expected} one of {mtu}; " + _SET_MTU,
    )
    SMALL_MTU_OF_SWITCH = (
        "{expected} carries no frames of {mtu} bytes between {cables}: raise the MTU of its ports to at least {mtu}",
        _SMALL_MTU_BETWEEN,
    )
    SMALL_MTU_OF_LINK = (
        "{nic} carries no frames of {mtu} bytes to and from {expected}, only shorter ones: raise the MTU of that port "
        "of {expected} to at least {mtu}, or try another cable or port",
        _SMALL_MTU_BETWEEN,
    )

    # NICs of a bridge or bond
    UNBOND_ONE = "{cable.node}: {devices} is a member of the bond {name} on the node: take it out of it"
    UNBOND = (
        "{cable.node}: {devices} are members of the bond {name} on the node, which makes one link of {switches:and}: "
        "take them out of it"
    )
    UNBRIDGE = (
        "{cable.node}: {devices} are ports of the bridge {name} on the node, which joins {switches:and}: take them "
        "out of it"
    )
    TAKE_OUT_ONE = "{cable.node}: {devices} is a port of the {kind} {name} on the node: take it out of it"
    TAKE_OUT = "{cable.node}: {devices} are ports of the {kind} {name} on the node: take them out of it"

    # Switches
    UNPLUG_UPLINKS = _UNPLUG_UPLINKS + "; if they are out, all cables are in one switch, or cables join the switches"
    UNPLUG_UPLINKS_OF_SOME = _UNPLUG_UPLINKS + "; if they are out, run for more nodes"
    UNPLUG_TRUNKS = (
        "unplug the cables between {switches:and} and run again; plug them in when the cables of the nodes are right"
    )
    UNPLUG_TRUNKS_OF_SOME = UNPLUG_TRUNKS + "; if they are out, run for more nodes"
    PULL_JOINING = (
        _PULL_JOINING,
        "NICs of {switches:and} hear each other: let each cable lead from one node to the other directly",
    )
    UNPLUG_OR_PULL_JOINING = (
        "unplug the cables from {switches:and} to the uplink switch; if they are out, " + _PULL_JOINING
    )
    UNPLUG_TRUNK_OR_PULL_JOINING = (
        "unplug the cables between {switches:and} while you verify; if they are out, " + _PULL_JOINING
    )
    PULL_LOOP = "find and pull the cable that closes a loop at {switches:and}"
    PULL_LOOP_OF = "find and pull the cable that closes a loop at where {cable.name} leads"
    PLUG_UPLINK = "plug a cable from {switches} into the uplink switch; if there is one, try another"
    MOVE_UPLINK = (
        "{targets:and} lacks its cable to the uplink switch, and {switches:or} has two: move the end of the second one "
        "to {targets:and}"
    )
    PULL_SECOND_UPLINK = (
        "pull the second cable between the uplink switch and {switches:or}; if each has only one, pull all of them and "
        "run again to find the switch with a loop"
    )
    POWER = "check {switches}, no cable has carrier: does it have power?"
    RESTART = (
        "check {switches}, its cables have carrier, but hear no beacons: power it off and on; does it isolate its "
        "ports?"
    )
    RESTART_OR_PAIR = (
        "{cables} have carrier, but hear no beacons: power {switches} off and on; if that does not help, replace the "
        "cable of one, then of the other"
    )
    SPLIT = (
        "{switches} passes no frames between {cables} and its other ports: check its VLANs and port groups, and, if it "
        "is several devices, what joins them"
    )
    RUN_AGAIN = "run again, or with the uplinks out: the probe could not determine the switch of {cables}"
    EXCHANGE_LABELS = (
        "the switches are permuted, and no cable has to move: the label {labels}; exchange the labels, or read them "
        "accordingly"
    )

    SEPARATE_ALL = (
        "NICs of {switches:and} hear each other: if all cables are in one switch, plug them into their own; if not, "
        "find and pull the cables that join the switches"
    )
    UNTAG = (
        "{switches} tags frames at {cables}: make that an untagged port (access port) of its VLAN; the nodes drop "
        "frames with a tag"
    )
    RUN_AGAIN_AFTER_MOVE = "{the_cable} was moved from {switches} to {seen} " + _DURING_RUN
    RUN_AGAIN_AFTER_MOVE_BETWEEN = "{the_cable} was moved between {switches:and} " + _DURING_RUN

    # Foreign networks and frames
    MOVE_FROM_ECHO = "{the_cable} leads to a device that returns its frames; move it to {expected}"
    MOVE_FROM_FOREIGN = "{the_cable} leads into a foreign network; move it to {expected}"
    PULL_FOREIGN = (
        "find and pull the cable that leads from {switches} into a foreign network",
        "frames of a foreign network reach {cables} over {switches}: let it lead from one node to the other directly",
    )
    FIND_REPEATER = (
        "find the device that repeats frames of {heard} on {switches}: a host that replays them, a port that mirrors, "
        "or a cable that passes one direction only"
    )
    FIND_EARLIER_RUN = (
        "find the device that sends frames of another run{claims} {where}: a node that still runs an earlier verify or "
        "live cabling, or a host that replays recorded frames"
    )
    FIND_FORGER = (
        "find the device that sends frames that are not authentic{claims} {where}: a host that forges them, or one of "
        "another cluster of the same name"
    )
    FIND_REWRITER = (
        "find the device that rewrites the source of frames{claims} {where}: a bridge or repeater that translates "
        "MACs, or a host that replays frames"
    )
    FIND_REPLAYER = (
        "find the device that repeats frames{claims} {where}: a host that replays them, or a port that mirrors"
    )

    # MACs
    SEPARATE_TWO = "{owners} have the same MAC {mac}: give {others} one of its own " + _SAME_MAC
    SEPARATE = "{owners} have the same MAC {mac}: give {others} one of their own " + _SAME_MAC
    SEPARATE_NAMES = (
        "{nodes} have the same NICs, so these names reach one machine: give each the address of its own machine "
        "(ansible_host in the inventory), then run discover again"
    )
    WAKE_OWNER = (
        "{node} {device} has the MAC {mac}, which is that of {silent} {before}, and {silent} does not answer: switch "
        "{silent} on, or, if its NIC was moved to {node}, take {silent} out of macs.json; then run discover again"
    )
    PUT_BACK = "{nic} ({cable.mac}) is gone; put it back, or run discover to bind its replacement"
    HALF_GONE = (
        "{nic} ({cable.mac}) is gone, and {half}, the other half of its plug, is there; boot the node, or remove "
        "`twin` from its NIC in the inventory and use the plug at half of its rate"
    )
    HALF_DOWN = "{nic} has no carrier, and {half}, the other half of its plug, has; set it up, or boot the node"
    HALVES_APART = (
        "{nic} and {half} are in two switches, so they are no halves of one plug; give each an entry of its own in the "
        "inventory"
    )
    KEEP_REPLACEMENT = "{nic} ({cable.mac}) is gone; {device} ({mac}) has taken its place"
    PLUG_NEW = "{nic} ({cable.mac}) is new; its cable belongs in {expected}"
    CORRECT_NAMES = (
        "{cable.node}: {devices} keep their places, as macs.json has their MACs; write `{line}` for it in the "
        "inventory, then run `./fnn design --grow`, which moves no cable. If other NICs are meant, take {cable.node} "
        "out of macs.json and run discover again"
    )
    KEEP_PLACES = "{cable.node}: {devices} have new names and keep their places, as macs.json has their MACs"
    LEAVE_NEW = "{nic} ({cable.mac}) is new; the design leaves it unused"
