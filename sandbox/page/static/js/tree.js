// Show JSON as a tree that can be opened.

import { make } from "./dom.js";

/** `open`: the set of open paths, which the caller keeps. */
export function tree(value, open, path = "", depth = 2) {
  return make("div", { class: "tree" }, node("", value, open, path, depth));
}

function node(name, value, open, path, depth) {
  if (value === null || typeof value !== "object") return leaf(name, value);
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  const head = make("summary", {}, make("span", { class: "name" }, name || "·"), " ", make("span", { class: "count" }, size));
  const element = make("details", {}, head);
  element.open = open.has(path) || (depth > 0 && !open.has(`-${path}`));
  let filled = false;
  const fill = () => {
    if (filled || !element.open) return;
    filled = true;
    element.append(...entries.map(([key, inner]) => node(key, inner, open, `${path}/${key}`, depth - 1)));
  };
  fill();
  element.addEventListener("toggle", () => {
    fill();
    open[element.open ? "add" : "delete"](path);
    open[element.open ? "delete" : "add"](`-${path}`);
  });
  return element;
}

function leaf(name, value) {
  const kind = typeof value === "string" ? "text-value" : "number-value";
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return make("div", { class: "leaf" }, make("span", { class: "name" }, name), ": ", make("span", { class: kind }, shown));
}
