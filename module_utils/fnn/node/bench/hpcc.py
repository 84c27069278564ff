# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs hpcc of the distribution over all nodes, one rank on each (runs on one node).

hpcc reads hpccinf.txt and writes hpccoutf.txt in the working directory of rank 0. The order N of the matrix of HPL
determines the sizes of all its tests. It is chosen for the network and not for the memory of the nodes: PTRANS needs
messages that are long enough for the full rate, and the random accesses take minutes over TCP.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...shared.outputs.hpcc import read_output
from ...shared.outputs.result import make_result
from .launch import Launch, launch
from .watch import Watch

PROGRAM = "hpcc"
#: The MPI with which the distribution builds hpcc.
_FLAVOR = "Open MPI"
#: Order of the matrix for one rank; with n ranks sqrt(n) times as much, so that the part of a rank stays the same.
_ORDER = 1000
_BLOCK = 80
#: Two of its tests end after 60 s each.
_SECONDS = 600
_INPUT = """HPLinpack benchmark input file
made by the FNN toolkit
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
{order}         Ns
1            # of NBs
{block}           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
{rows}            Ps
{columns}            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
0            values of N
0            number of additional blocking sizes for PTRANS
0            values of NB
"""


def write_input(ranks: int) -> str:
    """hpccinf.txt for so many ranks, on a grid that is as square as their number allows."""
    rows = next(each for each in range(math.isqrt(ranks), 0, -1) if ranks % each == 0)
    order = round(_ORDER * math.sqrt(ranks) / _BLOCK) * _BLOCK
    return _INPUT.format(order=order, block=_BLOCK, rows=rows, columns=ranks // rows)


def measure_hpcc(nodes: Sequence[str], seconds: int, watch: Watch) -> dict[str, Any]:
    """Its results, or why there are none. nodes: this one first. seconds: the limit if it is longer than its own.

    Raises Interrupted.
    """
    how = Launch(_FLAVOR, max(seconds, _SECONDS), watch)
    with tempfile.TemporaryDirectory(prefix="fnn-bench-") as directory:
        Path(directory, "hpccinf.txt").write_text(write_input(len(nodes)), encoding="utf-8")
        outcome = launch(how, nodes, [PROGRAM], directory=directory)
        output = Path(directory, "hpccoutf.txt")
        text = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
    if outcome.error or not text:
        return make_result(PROGRAM, None, [], outcome.error or "it wrote no hpccoutf.txt", _FLAVOR)
    (result,) = read_output(text)
    return {**result, "mpi": _FLAVOR}
