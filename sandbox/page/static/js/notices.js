// Toasts, and pop-ups that must be closed.

import { make } from "./dom.js";

const aloud = document.getElementById("aloud");
const alert = document.getElementById("alert");
const STAYS = 3800;

/** Show a short text over a pane. It disappears by itself, and the next text replaces it. */
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
