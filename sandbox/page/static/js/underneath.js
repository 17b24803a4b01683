// Show every run of an entry with its requests and calls, and what is stored now.

import { make } from "./dom.js";
import { load } from "./server.js";
import { tree } from "./tree.js";
import { on, world } from "./world.js";

const KINDS = { turns: "What happened", stored: "What is stored" };

export function underneath(pane) {
  const page = make("div", { class: "page", tabIndex: 0 });
  const tabs = Object.entries(KINDS).map(([kind, words]) =>
    make("button", { type: "button", role: "tab", "aria-selected": String(kind === "turns"), data: { kind }, onclick: () => choose(kind) }, words),
  );
  pane.replaceChildren(make("header", { class: "head" }, make("div", { class: "kinds", role: "tablist", "aria-label": "Underneath" }, ...tabs)), page);
  const open = new Set();
  let kind = "turns";
  let timer = 0;

  function choose(wanted) {
    kind = wanted;
    tabs.forEach((tab) => tab.setAttribute("aria-selected", String(tab.dataset.kind === kind)));
    redraw();
  }

  function redraw() {
    if (pane.hidden && !pane.offsetParent) return;
    if (kind === "turns") {
      const hint = "Each update that Telegram delivered and each wake-up: what the entry asked of the store (warm) and of Telegram (cool).";
      page.replaceChildren(make("p", { class: "hint" }, hint), ...world.turns.slice().reverse().map(turn));
    } else {
      refresh();
    }
  }

  async function refresh() {
    const items = (await load("/api/stored")) ?? [];
    if (kind !== "stored") return;
    const hint = "The table's items, decoded. Whatever is secret in the game stands here for all to read.";
    page.replaceChildren(make("p", { class: "hint" }, hint), ...items.map((item) => stored(item, open)));
  }

  on("all", redraw);
  on("turns", (fresh) => {
    if (kind === "turns") {
      const hint = page.querySelector(".hint");
      if (hint) fresh.forEach((one) => hint.after(turn(one)));
      while (page.children.length > 301) page.lastChild.remove();
    } else if (pane.offsetParent) {
      clearTimeout(timer);
      timer = setTimeout(refresh, 300);
    }
  });
  return redraw;
}

function turn(one) {
  const store = count(one.store.map(([operation]) => operation));
  const calls = count(one.calls.map((call) => (call.ok ? "" : "✗ ") + call.method + (call.chat ? ` → ${call.chat}` : "")));
  const tags = [
    ...store.map((words) => make("span", { class: "tag store" }, words)),
    ...calls.map((words) => make("span", { class: `tag${words.includes("✗") ? " failed" : ""}` }, words)),
  ];
  const line = make("span", { class: "line" },
    make("span", { class: "number" }, String(one.number)),
    make("span", { class: "what" }, one.what),
    make("span", { class: "ms" }, `${one.status === 200 ? "" : `${one.status} · `}${one.ms.toFixed(0)} ms`));
  const element = make("details", { class: "turn" }, make("summary", {}, line, times(one), make("span", { class: "said" }, ...tags)));
  element.addEventListener("toggle", async () => {
    if (!element.open || element.querySelector(".tree")) return;
    const whole = await load(`/api/turn/${one.number}`);
    element.append(tree(whole ?? { gone: true }, new Set(), "", 4));
  });
  return element;
}

function times(one) {
  const total = Math.max(one.ms, ...one.calls.map((call) => call.at + call.ms), 1);
  const bar = make("span", { class: "times" });
  const put = (at, took, name) => {
    const mark = make("i", { class: name });
    mark.style.left = `${(100 * at) / total}%`;
    mark.style.width = `${(100 * took) / total}%`;
    bar.append(mark);
  };
  one.store.forEach(([, at, took]) => put(at, took, "store"));
  one.calls.forEach((call) => put(call.at, call.ms, ""));
  return bar;
}

function count(names) {
  const counts = new Map();
  names.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return [...counts].map(([name, number]) => (number > 1 ? `${name} ×${number}` : name));
}

function stored(item, open) {
  const line = make("span", { class: "line" },
    make("span", { class: "what" }, item.key),
    make("span", { class: "ms" }, `${item.bytes} bytes`));
  const path = `${item.key}/${item.sort}`;
  const element = make("details", { class: "stored" }, make("summary", {}, line));
  const fill = () => element.open && !element.querySelector(".tree") && element.append(tree(item.attributes, open, path, 3));
  element.open = open.has(`item ${path}`);
  fill();
  element.addEventListener("toggle", () => {
    open[element.open ? "add" : "delete"](`item ${path}`);
    fill();
  });
  return element;
}
