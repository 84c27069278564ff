// SPDX-License-Identifier: GPL-3.0-or-later
// The page of ./fnn wire --serve: polls board.json and shows it. A document of another origin is never requested, and
// texts of nodes become text, not HTML.
"use strict";

const PERIOD_MS = 700; // between two requests
const TIMEOUT_MS = 4000; // of a request
const $ = (id) => document.getElementById(id);

let shown = ""; // the document on the page, as text
let complete = false; // whether all cables were right in it
let lostSince = null;

/** An element with these children: elements or texts. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** The name of a switch in the color of its cables. */
function makeSwitch(name, switches, more = "") {
  const known = switches.get(name);
  const title = known ? known.title : "no planned switch";
  const element = make("span", title.length > 12 ? "switch long" : "switch", title + more);
  if (known && known.rgb) {
    element.style.backgroundColor = known.rgb;
    element.style.color = known.ink;
    if (known.stripe) element.style.borderInline = `0.5em solid ${known.stripe}`;
  }
  return element;
}

/** Fills the list of a section, and hides the section if the list is empty. */
function fill(id, items) {
  $(id).hidden = items.length === 0;
  $(id).querySelector("ul").replaceChildren(...items);
}

function describeMove(cable, switches) {
  const line = make("p", "from", "is in ", makeSwitch(cable.seen, switches), ", ");
  if (cable.expected) line.append("belongs to ", makeSwitch(cable.expected, switches));
  else line.append("pull it out; the design leaves this NIC unused");
  return line;
}

function describeNext(next, switches) {
  const cable = next.cable;
  if (!cable) return [make("p", "nothing", next.text.replace(/^next: /, ""))];
  const parts = [make("p", "cable", `${cable.node} ${cable.device}`)];
  if (cable.seen) parts.push(make("p", "from", "out of ", makeSwitch(cable.seen, switches)));
  if (cable.expected) parts.push(makeSwitch(cable.expected, switches));
  return parts;
}

function describeNote(note) {
  const item = make("li", "", note.text);
  if (note.cables.length < 4) return item;
  item.append(make("details", "", make("summary", "", "all cables"), note.cables.join(", ")));
  return item;
}

function describeNodes(nodes) {
  const lacking = nodes.filter((node) => node.right < node.cables);
  const items = lacking.map((node) =>
    make("li", node.unreachable ? "unreachable" : "",
      `${node.name} ${node.unreachable ? "unreachable" : `${node.right}/${node.cables}`}`));
  if (lacking.length < nodes.length) items.push(make("li", "right", `${nodes.length - lacking.length} done`));
  return items;
}

function describeEvent(event) {
  const time = new Date(event.time * 1000).toTimeString().slice(0, 8);
  return make("li", "", make("time", "", time), make("span", event.verdict || "", event.text));
}

function show(board) {
  const switches = new Map(board.switches.map((each) => [each.name, each]));
  const { cables, right, wrong } = board.counts;
  complete = board.complete;
  document.title = `${board.cluster}: ${right} of ${cables}`;
  $("cluster").textContent = board.cluster;
  $("counts").textContent = `${right} of ${cables} right${wrong ? `, ${wrong} wrong` : ""}`;
  Object.assign($("progress"), { hidden: false, max: Math.max(1, cables), value: right });
  fill("wrong", board.wrong.map((cable) =>
    make("li", "", make("p", "cable", `${cable.node} ${cable.device}`), describeMove(cable, switches))));
  $("next").querySelector("div").replaceChildren(...describeNext(board.next, switches));
  fill("notes", board.notes.map(describeNote));
  fill("unreachable", board.unreachable.filter((each) => each.reason).map((each) =>
    make("li", "", `${each.node}: ${each.reason}`)));
  fill("switches", board.switches.map((each) =>
    make("li", "", makeSwitch(each.name, switches, ` ${each.right}/${each.cables}`))));
  fill("nodes", describeNodes(board.nodes));
  fill("events", board.events.slice().reverse().map(describeEvent));
  $("board").hidden = false;
}

/** The line below the title. kind: "live", "lost" or "done". */
function setState(kind, text) {
  if ($("state").textContent !== text) $("state").textContent = text;
  $("state").className = kind;
  $("board").classList.toggle("lost", kind === "lost");
}

function showLost(reason) {
  lostSince = lostSince || new Date();
  if (complete) setState("done", "All cables are right; ./fnn wire has ended.");
  else setState("lost", `Connection lost at ${lostSince.toTimeString().slice(0, 8)}: ${reason}`);
}

async function poll() {
  try {
    const answer = await fetch("board.json", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 503) {
      lostSince = null;
      setState("", "./fnn wire is starting the beacons; the cables appear here when a node answers.");
    } else if (answer.status === 404) {
      showLost("./fnn wire was started again; open the address that it printed.");
    } else if (!answer.ok) {
      showLost(`the controller answered ${answer.status}; trying again.`);
    } else {
      const text = await answer.text();
      if (text !== shown) show(JSON.parse(text));
      shown = text;
      lostSince = null;
      setState("live", "live");
    }
  } catch {
    showLost("trying again.");
  }
}

async function run() {
  for (;;) {
    await poll();
    await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
  }
}

run();
