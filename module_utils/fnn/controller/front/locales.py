# SPDX-License-Identifier: GPL-3.0-or-later
"""The locale of Ansible, which ends at once if that of the environment does not exist or is not UTF-8.

ssh and sudo forward the locale of another machine, which this one may not have generated.
"""

from __future__ import annotations

import locale
from collections.abc import MutableMapping

#: Every system has it (glibc 2.35, Debian's earlier ones).
_FALLBACK = "C.UTF-8"


def use_known_locale(environment: MutableMapping[str, str]) -> None:
    """Sets LC_ALL to C.UTF-8 if Ansible cannot use the locale of this environment, which is that of this process."""
    if not has_utf8_locale():
        environment["LC_ALL"] = _FALLBACK


def has_utf8_locale() -> bool:
    """Whether the locale of the environment exists, with the encoding UTF-8. The locale of this process stays."""
    present = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "")
        return locale.nl_langinfo(locale.CODESET).upper() == "UTF-8"
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_ALL, present)
