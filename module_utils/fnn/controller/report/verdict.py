# SPDX-License-Identifier: GPL-3.0-or-later
"""The first screen of a report: what the network is, the state of the cluster built from it, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..bench.show import describe_result
from ..verify.show import describe_uncovered
from .answers import Answers
from .descriptions import describe_design, describe_topology

#: Actions on the first screen; the section "As built" has all.
_MOST_ACTIONS = 3


@dataclass(frozen=True)
class Verdict:
    """word: the verdict of the design. title: the same in plain words. words: a paragraph each.

    trouble: whether the cluster as built differs from the design or failed its proof. actions: what to do first; more:
    the number of other actions.
    """

    word: str
    title: str
    words: list[str]
    trouble: bool = False
    actions: list[str] = field(default_factory=list)
    more: int = 0
    answers: Answers = field(default_factory=Answers)

    def to_json(self) -> dict[str, Any]:
        return {
            "design": self.word,
            "title": self.title,
            "words": self.words,
            "actions": self.actions,
            "strengths": self.answers.strengths,
            "weaknesses": self.answers.weaknesses,
            "better_networks": self.answers.better_networks,
            "reasons": self.answers.reasons,
        }


def make_verdict(
    design: Mapping[str, Any],
    findings: Mapping[str, Any] | None,
    proof: Mapping[str, Any] | None,
    answers: Answers | None = None,
) -> Verdict:
    """The verdict of the design, and the state of the cluster built from it."""
    words = [f"Design {describe_design(design)}.", _describe_state(findings, proof)]
    actions = list_actions(findings)
    trouble = bool(actions) or (proof or {}).get("verdict") == "failed"
    shown, more = actions[:_MOST_ACTIONS], max(0, len(actions) - _MOST_ACTIONS)
    title = _describe_uncovered(findings) or make_title(design)
    return Verdict(design["verdict"], title, words, trouble, shown, more, answers or Answers())


def add_bench(verdict: Verdict, bench: Mapping[str, Any]) -> Verdict:
    """The verdict with the answer of the benchmark, and what it asks to do after all that verify asks for."""
    actions = [f"{each['name']}: {each['do']}" for each in bench["suspects"]]
    shown = [*verdict.actions, *actions]
    return replace(
        verdict,
        words=[*verdict.words, f"Measured: {describe_result(bench)}"],
        trouble=verdict.trouble or bool(actions),
        actions=shown[:_MOST_ACTIONS],
        more=verdict.more + max(0, len(shown) - _MOST_ACTIONS),
    )


def make_title(design: Mapping[str, Any]) -> str:
    """The answer of the design in a few words."""
    topology = describe_topology(design)
    if topology:
        return topology
    if design["verdict"] != "found":
        return "Not a flat neighborhood network yet"
    if design["spec"]["coverage"] != "all":
        return "Every two nodes that talk share a switch"
    return "Every two nodes share a switch"


def _describe_uncovered(findings: Mapping[str, Any] | None) -> str:
    """The title where cables in wrong places leave pairs without a switch or a cable; "" where none are left."""
    as_wired = (findings or {}).get("as_wired")
    if findings is None or not as_wired or as_wired["valid_fnn"]:
        return ""
    return f"As built, {describe_uncovered(as_wired, findings.get('joined_by') == 'cables')}"


def list_actions(findings: Mapping[str, Any] | None) -> list[str]:
    """What to do with which plug: the findings on which verify fails, the most damaging first."""
    return [str(each["action"]) for each in (findings or {}).get("findings", ()) if each["breaks"]]


def _describe_state(findings: Mapping[str, Any] | None, proof: Mapping[str, Any] | None) -> str:
    if not findings:
        return "All numbers are predicted from the design; no cable has been verified yet."
    wiring = {
        "match": "every cable was verified as designed",
        "miswired": _count_wrong(findings),
    }.get(findings["verdict"], "not all cables could be measured")
    if not proof:
        return f"As built, {wiring}; the network has not been proved yet."
    proved = {"proved": "the network is proved", "failed": "the network failed its proof"}
    return f"As built, {wiring}, and {proved.get(proof['verdict'], 'the proof is not complete')}."


def _count_wrong(findings: Mapping[str, Any]) -> str:
    links = findings.get("links", ())
    wrong = sum(each["state"] in ("wrong", "missing", "faulty") for each in links)
    if not wrong:
        return "some cables differ from the design"
    things = "ends of cables" if findings.get("joined_by") == "cables" else "cables"
    return f"{wrong} of {len(links)} {things} {'differs' if wrong == 1 else 'differ'} from the design"
