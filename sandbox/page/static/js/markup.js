// Turn Telegram's HTML into elements. Only Telegram's tags are used; everything else stays text.

import { icon, make } from "./dom.js";
import { timeElement } from "./moment.js";

const SAME = { b: "b", strong: "b", i: "i", em: "i", u: "u", ins: "u", s: "s", strike: "s", del: "s", pre: "pre" };
// As TDLib finds them: not next to a letter of any script, a digit or another slash.
const COMMAND = /(^|[^\p{L}\p{N}_/<>@])(\/[a-z0-9_]{1,32}(?:@\w+)?)(?![\p{L}\p{N}_/<>])/gu;

/**
 * Return a fragment for the HTML of a message.
 * `open(url)` follows a link, `say(command)` sends a command in the text, `copied()` is called
 * when code was copied.
 */
export function fragment(html, { open, say, copied }) {
  const parsed = new DOMParser().parseFromString(`<body>${html}`, "text/html");
  const result = document.createDocumentFragment();
  const context = { open, say, copied, plain: false };
  result.append(...convertAll(parsed.body, context));
  return result;
}

/** Return a message's text without markup and with spoilers covered. */
export function plain(html) {
  const parsed = new DOMParser().parseFromString(`<body>${html}`, "text/html");
  parsed.querySelectorAll("tg-spoiler, span.tg-spoiler").forEach((one) => (one.textContent = "▒▒▒▒"));
  return parsed.body.textContent;
}

function convertAll(node, context) {
  return [...node.childNodes].flatMap((child) => convert(child, context));
}

function convert(node, context) {
  if (node.nodeType === Node.TEXT_NODE) {
    // The line break after a block ends the block, and adds no line.
    const text = ["blockquote", "pre"].includes(node.previousSibling?.localName) ? node.data.replace(/^\n/, "") : node.data;
    return context.plain ? [text] : commands(text, context);
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return [];
  const tag = node.localName;
  if (tag in SAME) return [make(SAME[tag], {}, ...convertAll(node, context))];
  const special = {
    a: link,
    code,
    blockquote: quote,
    "tg-spoiler": spoiler,
    span: node.className === "tg-spoiler" ? spoiler : undefined,
    "tg-time": (one) => timeElement(Number(one.getAttribute("unix")), one.getAttribute("format"), one.textContent),
  }[tag];
  return special ? [special(node, context)] : convertAll(node, context);
}

function commands(text, context) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(COMMAND)) {
    const at = match.index + match[1].length;
    const press = () => context.say(match[2]);
    parts.push(text.slice(from, at), make("button", { type: "button", class: "command", onclick: press }, match[2]));
    from = at + match[2].length;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== "");
}

function link(node, context) {
  const url = node.getAttribute("href") ?? "";
  const inner = convertAll(node, { ...context, plain: true });
  if (!/^(https?|tg|mailto|tel):/i.test(url)) return make("span", {}, ...inner);
  const follow = (event) => {
    event.preventDefault();
    context.open(url);
  };
  return make("a", { href: url, rel: "noreferrer", onclick: follow }, ...inner);
}

function code(node, context) {
  const text = node.textContent;
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    context.copied();
  };
  const element = make("code", { title: "Copy", tabIndex: 0, role: "button", onclick: copy }, text);
  return pressable(element, copy);
}

function quote(node, context) {
  const inner = make("span", { class: "inner" }, ...convertAll(node, context));
  if (!node.hasAttribute("expandable")) return make("blockquote", {}, inner);
  const element = make("blockquote", { class: "folds" }, inner);
  const fold = make("button", { type: "button", class: "fold", "aria-label": "Show all of it", "aria-expanded": "false" });
  fold.append(icon("down"));
  fold.addEventListener("click", () => {
    const open = element.classList.toggle("open");
    fold.setAttribute("aria-expanded", open);
    fold.setAttribute("aria-label", open ? "Show less" : "Show all of it");
  });
  element.append(fold);
  // A short text need not fold. Its height is known only after the layout.
  requestAnimationFrame(() => {
    if (inner.clientHeight && inner.scrollHeight <= inner.clientHeight + 4) element.classList.remove("folds");
  });
  return element;
}

function spoiler(node, context) {
  const inner = make("span", { "aria-hidden": "true" }, ...convertAll(node, context));
  const element = make("span", { class: "spoiler covered", role: "button", tabIndex: 0, "aria-label": "Covered. Press to uncover." }, inner);
  inner.inert = true;
  const uncover = () => {
    element.classList.remove("covered");
    for (const name of ["role", "tabindex", "aria-label"]) element.removeAttribute(name);
    inner.removeAttribute("aria-hidden");
    inner.inert = false;
  };
  element.addEventListener("click", uncover);
  return pressable(element, uncover);
}

function pressable(element, press) {
  element.addEventListener("keydown", (event) => {
    if (event.target === element && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      press();
    }
  });
  return element;
}
