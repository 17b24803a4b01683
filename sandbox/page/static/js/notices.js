// Toasts, and pop-ups that must be put away.

import { make } from "./dom.js";

const toasts = document.getElementById("toasts");
const alert = document.getElementById("alert");
const STAYS = 3800;

export function toast(text, wrong = false) {
  const element = make("div", { class: `toast${wrong ? " wrong" : ""}` }, text);
  toasts.append(element);
  while (toasts.children.length > 3) toasts.firstChild.remove();
  setTimeout(() => element.classList.add("leaving"), STAYS - 300);
  setTimeout(() => element.remove(), STAYS);
}

export function popUp(text) {
  alert.querySelector("p").textContent = text;
  if (!alert.open) alert.showModal();
}
