# SPDX-License-Identifier: GPL-3.0-or-later
"""The egress filter of a fabric NIC: it passes broadcast and multicast frames only where the plan sends them.

avahi, lldpd and the kernel's own IGMP send multicast on every NIC, and switches flood those frames to all ports. A
filter at the NIC (tc(8): qdisc clsact, classifier bpf with classic BPF, action direct) drops them; unicast frames pass
after two instructions. It needs iproute2 and the kernel modules sch_ingress and cls_bpf, nothing else.

    egress red=broadcast+multicast blue=broadcast     the line in /etc/fnn/node; without it there is no filter

The filter always passes

- beacons and control frames of this toolkit, EtherType 0x88B5;
- IPv4 to 239.0.0.0/8, administratively scoped multicast (RFC 2365), but not SSDP's 239.255.255.250: programs that
  send to these groups name the NIC, and no daemon does so by itself;
- ARP, on the NIC below the access device.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from .difference import Difference
    from .kernel import Kernel
    from .plan import Plan

WORDS = ("arp", "broadcast", "dhcp", "multicast")
PREFERENCE = 1960  # ours among the filters of a device
UNSUPPORTED = Path("/run/fnn/no-egress")  # the error of the kernel; while it exists (until reboot), no filter is tried
_LACKS = re.compile(r"qdisc kind is unknown|classifier not found|Unknown qdisc|Unknown filter|Operation not supported")
_SHOWN = re.compile(rf"pref {PREFERENCE} bpf .*direct-action.* bytecode '([^']*)'")

_LOAD, _LOAD_HALF, _LOAD_BYTE, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x28, 0x30, 0x15, 0x45, 0x06  # linux/filter.h
_PASS, _DROP = 0xFFFFFFFF, 2  # TC_ACT_UNSPEC: the next filter decides; TC_ACT_SHOT
_BEACON, _ARP, _IPV4 = 0x88B5, 0x0806, 0x0800
_IGMP, _UDP, _SSDP, _SITE = 2, 17, 0xEFFFFFFA, 239
_DESTINATION, _ETHERTYPE, _PROTOCOL, _ADDRESS, _PORT = 0, 12, 23, 30, 36  # offsets in octets; no IP options
_Target = Union[str, int, None]  # Python 3.9; None: the next instruction


@dataclass(frozen=True)
class Filter:
    """The filters of a device with a clsact qdisc. bytecode: of our filter, "" for none; others: it has other ones."""

    bytecode: str = ""
    others: bool = False


def make_bytecode(words: Collection[str]) -> str:
    """The filter's program as tc-bpf(8) takes it: LENGTH,CODE JT JF K,... words: some of WORDS."""
    lines: list[tuple[int, _Target, _Target, int]] = [
        (_LOAD_BYTE, None, None, _DESTINATION),
        (_ANY_BIT, None, "pass", 1),  # the I/G bit, set in group addresses
        (_LOAD_HALF, None, None, _ETHERTYPE),
        (_EQUAL, "pass", None, _BEACON),
        *([(_EQUAL, "pass", None, _ARP)] if "arp" in words else []),
        (_EQUAL, None, "drop", _IPV4),
        (_LOAD, None, None, _DESTINATION),
    ]
    to_group = _to_group(words)
    lines += [(_EQUAL, None, len(_to_all(words)), 0xFFFFFFFF), *_to_all(words), *to_group]
    ends = {"pass": len(lines), "drop": len(lines) + 1}
    lines += [(_RETURN, None, None, _PASS), (_RETURN, None, None, _DROP)]
    rows = [f"{code} {_jump(yes, at, ends)} {_jump(no, at, ends)} {k}" for at, (code, yes, no, k) in enumerate(lines)]
    return ",".join([str(len(rows)), *rows])


def _to_all(words: Collection[str]) -> list[tuple[int, _Target, _Target, int]]:
    """IPv4 to ff:ff:ff:ff:ff:ff; the last instruction always jumps."""
    if "broadcast" in words:
        return [(_EQUAL, "pass", "pass", 0)]
    if "dhcp" in words:
        return [
            (_LOAD_BYTE, None, None, _PROTOCOL),
            (_EQUAL, None, "drop", _UDP),
            (_LOAD_HALF, None, None, _PORT),
            (_EQUAL, "pass", None, 67),
            (_EQUAL, "pass", "drop", 68),
        ]
    return [(_EQUAL, "drop", "drop", 0)]


def _to_group(words: Collection[str]) -> list[tuple[int, _Target, _Target, int]]:
    """IPv4 to a multicast address; the last instruction always jumps."""
    if "multicast" in words:
        return [(_EQUAL, "pass", "pass", 0)]
    return [
        (_LOAD_BYTE, None, None, _PROTOCOL),
        (_EQUAL, "drop", None, _IGMP),
        (_LOAD, None, None, _ADDRESS),
        (_EQUAL, "drop", None, _SSDP),
        (_LOAD_BYTE, None, None, _ADDRESS),
        (_EQUAL, "pass", "drop", _SITE),
    ]


def _jump(target: _Target, at: int, ends: Mapping[str, int]) -> int:
    return ends[target] - at - 1 if isinstance(target, str) else target or 0


def compare_egress(plan: Plan, found: Mapping[str, str], below: str | None, kernel: Kernel, todo: Difference) -> None:
    """Lines that put the filter on each NIC of the plan. found: switch -> device; below: under the access device."""
    if plan.egress is None:
        drop_filters(found.values(), kernel, todo)
        return
    if kernel.filters is None:
        return
    for switch, device in found.items():
        words = {*plan.egress.get(switch, ()), *(["arp"] if device == below else [])}
        bytecode = make_bytecode(words)
        present = kernel.filters.get(device)
        if present is None:
            todo.filters.append(f"qdisc add dev {device} clsact")
        if present is None or present.bytecode != bytecode:
            line = f"filter replace dev {device} egress protocol all pref {PREFERENCE} handle 1"
            todo.filters.append(f'{line} bpf da bytecode "{bytecode}"')


def drop_filters(devices: Iterable[str], kernel: Kernel, todo: Difference) -> None:
    """Removes our filter, and the qdisc if no other filter needs it."""
    for device in devices:
        present = (kernel.filters or {}).get(device)
        if present and present.bytecode:
            line = f"filter del dev {device} egress pref {PREFERENCE}"
            todo.filters.append(line if present.others else f"qdisc del dev {device} clsact")


def tc_program() -> str | None:
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin", "/usr/bin"])
    return shutil.which("tc", path=path)


def read_filters() -> dict[str, Filter] | None:
    """The filters of each device with a clsact qdisc. None without tc, or where the kernel lacks such filters."""
    if tc_program() is None or UNSUPPORTED.exists():
        return None
    devices = [each["dev"] for each in _run_json("qdisc", "show") if each.get("kind") == "clsact"]
    return {device: read_filter(device) for device in devices}


def read_filter(device: str) -> Filter:
    """Reads both directions in one tc process, because this runs often."""
    batch = "".join(f"filter show dev {device} {way}\n" for way in ("egress", "ingress"))
    shown = _run("-batch", "-", given=batch)
    found = _SHOWN.search(shown)
    preferences = set(re.findall(r"\bpref (\d+) ", shown)) - {str(PREFERENCE)}
    return Filter(found[1] if found else "", bool(preferences))


def count_dropped(devices: Collection[str]) -> dict[str, int]:
    """Device -> frames that its filter has dropped since it was added; a device without a filter is missing."""
    if tc_program() is None:
        return {}
    rows = _run_json("-s", "qdisc", "show")
    return {each["dev"]: each["drops"] for each in rows if each.get("kind") == "clsact" and each["dev"] in devices}


def run_lines(lines: list[str]) -> list[str]:
    """Runs `tc -batch`; returns its errors. A kernel without such filters is recorded, not reported as an error."""
    program = tc_program()
    if not lines or program is None:
        return []
    text = "\n".join(lines) + "\n"
    done = subprocess.run([program, "-force", "-batch", "-"], input=text, capture_output=True, text=True, check=False)
    errors = done.stderr.strip()
    if done.returncode and _LACKS.search(errors):
        UNSUPPORTED.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        UNSUPPORTED.write_text(f"{errors}\n", encoding="utf-8")
        return []
    return [f"tc -batch: {errors}"] if done.returncode else []


def _run(*arguments: str, given: str = "") -> str:
    """The output of tc; empty for a device that has just been removed."""
    command = [tc_program() or "tc", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def _run_json(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(_run("-j", *arguments) or "[]")
    return found
