// Toasts, and pop-ups that must be put away.

import { make } from "./dom.js";

const aloud = document.getElementById("aloud");
const alert = document.getElementById("alert");
const STAYS = 3800;

/** A few words over a pane, which go by themselves; the next ones take their place. */
export function toast(text, pane, wrong = false) {
  document.querySelectorAll(".toast").forEach((old) => old.remove());
  const element = make("div", { class: `toast${wrong ? " wrong" : ""}`, "aria-hidden": "true" }, text);
  pane.append(element);
  aloud.textContent = text;
  setTimeout(() => element.classList.add("leaving"), STAYS - 300);
  setTimeout(() => element.remove(), STAYS);
}

export function popUp(text) {
  alert.querySelector("p").textContent = text;
  if (!alert.open) alert.showModal();
}
