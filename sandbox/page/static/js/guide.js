// The line with the state of the game for this person, and the next thing to do.

import { make } from "./dom.js";
import { isNarrow, isSeen, turnTo } from "./layout.js";
import { act, again } from "./server.js";
import { me, messages, on, world } from "./world.js";

const bar = document.getElementById("guide");
const COUNTS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen"];
let shown = "";
/** The message that offered the role that was last looked at. */
let seenRole = null;

/** Show the state if it has changed. */
export function guide() {
  const said = what();
  const key = said ? [said.text, said.action?.[0], said.until].join("|") : "";
  if (key === shown) return;
  shown = key;
  bar.classList.toggle("yours", Boolean(said?.yours));
  bar.classList.toggle("asks", Boolean(said?.other));
  bar.replaceChildren(...(said ? parts(said) : []));
}

function parts({ text, action, other, until }) {
  const keys = [
    action && make("button", { type: "button", class: "key primary", onclick: once(action[1]) }, action[0]),
    other && make("button", { type: "button", class: "plain", onclick: once(other[1]) }, other[0]),
  ];
  return [make("p", { "aria-live": "polite" }, text), ...keys.filter(Boolean), ...(until ? [passing(until)] : [])];
}

/** Return a button's handler that does not run a second time while it is running. */
function once(job) {
  return async (event) => {
    const key = event.currentTarget;
    if (key.getAttribute("aria-busy") === "true") return;
    key.setAttribute("aria-busy", "true");
    await job();
    key.removeAttribute("aria-busy");
  };
}

/** Return a progress line that is full at a moment, in seconds since 1970. */
function passing(until) {
  const line = make("i", { class: "passing", "aria-hidden": "true" });
  line.style.animationDuration = `${Math.min(Math.max(until - Date.now() / 1000, 0.2), 60)}s`;
  return line;
}

function what() {
  const { at, asked, until } = world.stage;
  if (at === "sealed") {
    return { text: "The deal is sealed: it will follow from a public random number that nobody can know yet. The roles come in a moment.", until };
  }
  if (!world.computers) return null;
  if (me().owes || asked.includes(world.me)) return turn(me().owes ? "private" : "group");
  if (at === "playing" && mayClaim()) return { text: "You may tell the table what you saw, true or not: 💬 in the private chat. The computers play on.", action: there("private", "Go there"), until };
  if (at === "playing") return { text: "The computers play: read in the group what they do.", action: there("group", "Watch"), until };
  const play = () => act({ do: "seat", user: world.me });
  if (at === "over") return { text: "The game is over: read in the group who was who.", action: there("group", "Look") ?? ["Play again", play] };
  const many = COUNTS[world.seats - 1] ?? world.seats - 1;
  return {
    text: `You are ${me().name}. ${many} computers 🤖 play with you; nobody else is needed.`,
    action: ["Take your seat and play", play],
    other: [`Or move ${world.seats} people by hand`, () => again(world.seats, false, false)],
  };
}

/** Return true if the newest private message offers a claim. */
function mayClaim() {
  const newest = [...messages(world.me).values()].at(-1);
  return newest?.keyboard?.flat().some((button) => button.callback_data?.startsWith("claim|")) ?? false;
}

/** Show that it is the person's turn, and in which pane. */
function turn(pane) {
  const dealt = pane === "private" && newestRole() !== seenRole;
  const place = isNarrow() && isSeen(pane) ? "here" : pane === "private" ? "in the private chat" : "in the group";
  const text = dealt ? `Your role has come ${place}: press 🎭 to see it. Below it the bot asks you something.` : `It is your turn: the bot asks you ${place}.`;
  return { text, action: there(pane, "Go there"), yours: true };
}

/** Return the newest private message that offers to show the role. */
function newestRole() {
  const offers = [...messages(world.me).entries()].filter(([, message]) => message.keyboard?.flat().some((button) => button.callback_data?.startsWith("role|")));
  return offers.at(-1)?.[0] ?? null;
}

/** Return a button that shows a pane, unless the pane is visible. */
function there(pane, words) {
  return isSeen(pane) ? null : [words, async () => turnTo(pane)];
}

["all", "me", "people", "stage", "chat"].forEach((name) => on(name, guide));
// Looking at a role changes the next thing to do.
document.addEventListener("click", (event) => {
  if (event.target.closest("#private .key")?.textContent.startsWith("🎭")) seenRole = newestRole();
  setTimeout(guide);
});
