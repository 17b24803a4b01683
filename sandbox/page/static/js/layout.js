// Show panes side by side if there is room, or one at a time on a phone.

const panes = document.getElementById("panes");
const tabs = [...document.querySelectorAll(".tabs button")];
const look = document.getElementById("look");
const menu = document.getElementById("menu");
const tools = document.getElementById("tools");
const narrow = matchMedia("(max-width: 699px)");

let seen = () => {};

/** `heard(pane)` is called when another pane is shown. */
export function onLook(heard) {
  seen = heard;
}

/** Show a pane, if only one fits on the screen. */
export function turnTo(pane) {
  panes.dataset.shown = pane;
  tabs.forEach((tab) => tab.setAttribute("aria-pressed", String(tab.dataset.pane === pane)));
  if (narrow.matches || pane === "underneath") setUnderneath(pane === "underneath");
  seen(pane);
}

export function isNarrow() {
  return narrow.matches;
}

/** Return true if a pane is visible. */
export function isSeen(pane) {
  return narrow.matches ? panes.dataset.shown === pane : !document.getElementById(pane).hidden;
}

export function setUnderneath(shown) {
  document.getElementById("underneath").hidden = !shown;
  look.setAttribute("aria-pressed", String(shown));
}

export function setUp() {
  tabs.forEach((tab) => tab.addEventListener("click", () => turnTo(tab.dataset.pane)));
  const fold = (open) => {
    tools.classList.toggle("open", open);
    menu.setAttribute("aria-expanded", String(open));
  };
  look.addEventListener("click", () => {
    const shown = look.getAttribute("aria-pressed") === "true";
    fold(false);
    if (narrow.matches) turnTo(shown ? "group" : "underneath");
    else {
      setUnderneath(!shown);
      seen("underneath");
    }
  });
  menu.addEventListener("click", () => fold(!tools.classList.contains("open")));
  document.addEventListener("click", (event) => {
    if (!tools.contains(event.target) && !menu.contains(event.target)) fold(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && tools.classList.contains("open")) {
      fold(false);
      menu.focus();
    }
  });
}

/** Show a number on a tab; none for 0. */
export function badge(pane, number) {
  const count = document.querySelector(`.tabs [data-pane="${pane}"] .count`);
  count.textContent = number > 9 ? "9+" : String(number);
  count.hidden = !number;
}
