// SPDX-License-Identifier: GPL-3.0-or-later
// Downloads of figures, highlighting of rows and columns, and pairs lost by a failed switch. The page reads without it.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, place = document) => [...place.querySelectorAll(selector)];
  root.classList.add("scripted");

  // --- Downloads, made from what the page shows ---

  function save(name, kind, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // A file has the light colors, whatever the page shows at the moment.
  function writeSvg(picture) {
    const copy = picture.cloneNode(true);
    all("[class]", copy).forEach(each => each.removeAttribute("class"));
    const colors = JSON.parse(root.dataset.tokens);
    return new XMLSerializer().serializeToString(copy).replace(/var\(--(\w+)\)/g, (_, name) => colors[name]) + "\n";
  }

  const quote = text => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  function readCell(cell) {
    if (cell.dataset.v !== undefined) return cell.dataset.v;
    const text = cell.textContent.trim();
    return cell.classList.contains("number") ? text.replaceAll(",", "") : text;
  }

  function writeCsv(figure) {
    const list = figure.querySelector("pre.csv");
    if (list) return list.textContent;
    const rows = all("tr", figure.querySelector("table"));
    return rows.map(row => [...row.cells].map(cell => quote(readCell(cell))).join(",") + "\n").join("");
  }

  for (const button of all("button[data-save]")) {
    button.addEventListener("click", () => {
      const figure = button.closest("figure"), kind = button.dataset.save;
      const name = `${root.dataset.cluster}-${figure.id.slice("figure-".length)}.${kind}`;
      if (kind === "svg") save(name, "image/svg+xml", writeSvg(figure.querySelector(".picture svg")));
      else save(name, "text/csv", writeCsv(figure));
    });
  }

  // --- Rows and columns of a matrix, and the same cables in the drawing ---

  const drawn = all("#figure-wiring path > title").map(title => {
    const [, node, other] = /^(\S+?)(?::\S*)? to (\S+?)(?::\S*)? \S/.exec(title.textContent) || [];
    const paths = [title.parentNode];
    const near = title.parentNode.previousElementSibling, far = title.parentNode.nextElementSibling;
    if (near && near.tagName === "path" && !near.firstChild) paths.push(near);
    if (far && far.getAttribute("stroke-dasharray")) paths.push(far);
    return { ends: [node, other], paths };
  });

  function dimDrawing(names) {
    for (const cable of drawn) {
      const dim = names.length > 0 && !names.some(name => cable.ends.includes(name));
      cable.paths.forEach(path => path.classList.toggle("dim", dim));
    }
  }

  class Matrix {
    constructor(table) {
      this.table = table;
      this.heads = [...table.tHead.rows[0].cells].slice(1);
      this.names = this.heads.map(head => head.dataset.v);
      this.rows = [...table.tBodies[0].rows].map(row => ({
        row, head: row.cells[0], name: row.cells[0].textContent.trim(), nodes: Number(row.dataset.n || 1),
        on: [...row.cells].slice(1).flatMap((cell, at) => (cell.textContent.trim() ? [at] : [])),
      }));
      this.pinned = null;
      this.failed = -1;
      table.addEventListener("pointerover", event => this.pinned || this.light(event.target.closest("td, th")));
      table.addEventListener("pointerleave", () => this.pinned || this.light(null));
      table.addEventListener("focusin", event => this.light(event.target.closest("th")));
      table.addEventListener("focusout", () => this.light(this.pinned));
      table.addEventListener("click", event => this.choose(event.target.closest("td, th")));
      if (table.dataset.failing) this.heads.forEach((head, at) => this.addButton(head, at));
    }

    addButton(head, at) {
      const button = document.createElement("button");
      button.type = "button";
      button.title = `Pairs lost if ${this.names[at]} fails`;
      button.setAttribute("aria-pressed", "false");
      button.append(...head.childNodes);
      button.addEventListener("click", event => {
        event.stopPropagation();
        this.fail(this.failed === at ? -1 : at);
      });
      head.append(button);
    }

    choose(cell) {
      this.pinned = cell === this.pinned ? null : cell;
      this.light(this.pinned);
    }

    // A node: its row and switches. A switch: its column and nodes. A cell: both.
    light(cell) {
      all(".lit", this.table).forEach(each => each.classList.remove("lit"));
      const at = cell ? cell.cellIndex - 1 : -1;
      const row = cell && cell.parentNode.parentNode === this.table.tBodies[0] ? cell.parentNode : null;
      this.table.classList.toggle("lighting", at >= 0 || row !== null);
      const lit = [];
      for (const each of this.rows) {
        const own = each.row === row;
        if (own) lit.push(each.head, ...each.on.map(place => this.heads[place]), ...each.row.cells);
        if (at >= 0 && each.on.includes(at)) lit.push(each.row.cells[at + 1], each.head);
      }
      if (at >= 0) lit.push(this.heads[at]);
      lit.forEach(each => each.classList.add("lit"));
      const names = at >= 0 ? [this.names[at]] : row ? [row.cells[0].textContent.trim()] : [];
      dimDrawing(names);
    }

    // Switches that are joined by cables carry frames of each other, so they count as one.
    join(failed) {
      const group = this.names.map((_, at) => at);
      const pairs = (this.table.dataset.joined || "").split(" ").filter(Boolean).map(pair => pair.split("-").map(Number));
      for (let round = 0; round < group.length; round++) {
        for (const [one, other] of pairs) {
          if (one !== failed && other !== failed) group[one] = group[other] = Math.min(group[one], group[other]);
        }
      }
      return group;
    }

    // The pairs of rows that share a switch only while `failed` works.
    findLost(failed) {
      const before = this.join(-1), after = this.join(failed), lost = [];
      const share = (one, other, group, without) => {
        const seen = new Set(one.on.filter(at => at !== without).map(at => group[at]));
        return other.on.some(at => at !== without && seen.has(group[at]));
      };
      this.rows.forEach((one, at) => {
        for (const other of this.rows.slice(one.nodes > 1 ? at : at + 1)) {
          if (share(one, other, before, -1) && !share(one, other, after, failed)) lost.push([one, other]);
        }
      });
      return lost;
    }

    fail(at) {
      this.failed = at;
      const lost = at < 0 ? [] : this.findLost(at);
      const hit = new Set(lost.flat());
      this.rows.forEach(each => each.head.classList.toggle("hit", hit.has(each)));
      this.heads.forEach((head, place) => {
        head.firstElementChild.setAttribute("aria-pressed", String(place === at));
        const column = [head, ...this.rows.map(each => each.row.cells[place + 1])];
        column.forEach(cell => cell.classList.toggle("failed", place === at));
      });
      const figure = this.table.closest("figure"), hint = figure.querySelector(".hint");
      this.hint = this.hint || hint.textContent;
      hint.textContent = at < 0 ? this.hint : this.describe(at, lost);
      hint.classList.toggle("result", at >= 0);
      figure.querySelector(".answer").replaceChildren(...this.listPairs(lost));
    }

    describe(at, lost) {
      const number = value => value.toLocaleString("en-US");
      const count = (one, other) => (one === other ? (one.nodes * (one.nodes - 1)) / 2 : one.nodes * other.nodes);
      const pairs = lost.reduce((sum, [one, other]) => sum + count(one, other), 0);
      const nodes = this.rows.reduce((sum, each) => sum + each.nodes, 0);
      const words = `If ${this.names[at]} fails, ${number(pairs)} of ${number((nodes * (nodes - 1)) / 2)} pairs are lost.`;
      return pairs ? `${words} ${this.table.dataset.failing}` : words;
    }

    // A line for all nodes that lose the same peers.
    listPairs(lost) {
      const peers = new Map(), alike = new Map();
      for (const [one, other] of lost) peers.set(one.name, [...(peers.get(one.name) || []), other.name]);
      for (const [name, others] of peers) alike.set(others.join(" "), [...(alike.get(others.join(" ")) || []), name]);
      const list = document.createElement("ul");
      for (const [others, names] of alike) {
        const item = document.createElement("li"), first = document.createElement("b");
        first.textContent = names.join(" ");
        item.append(first, ` with ${others}`);
        list.append(item);
      }
      return lost.length ? [list] : [];
    }
  }

  const matrices = all("table.matrix").map(table => new Matrix(table));
  document.addEventListener("keydown", event => {
    if (event.key !== "Escape") return;
    for (const each of matrices) {
      each.choose(null);
      if (each.failed >= 0) each.fail(-1);
    }
  });
})();
