// Show one message of a chat.

import { avatar, botAvatar, icon, make } from "./dom.js";
import { fragment, plain } from "./markup.js";
import { clock, whole } from "./moment.js";
import { messages, world } from "./world.js";

const viewer = document.getElementById("viewer");

/** `hands`: the acts of a message: open(url), say(text), tap(message, button), copied(). */
export function bubble(message, chat, hands) {
  if (message.service) {
    return make("div", { class: "message event", data: { key: message.key } }, make("span", {}, message.service));
  }
  const mine = message.sender === world.me && !message.bot;
  const face = message.bot ? botAvatar() : avatar(world.people, message.sender, message.name);
  const body = make("div", { class: "body" }, card(message, chat, hands), keyboard(message, hands));
  const names = `message${mine ? " mine" : ""}${message.bot ? " of-bot" : ""}`;
  return make("div", { class: names, data: { key: message.key, from: message.sender, date: message.date } }, face, body);
}

function card(message, chat, hands) {
  const seat = world.people.findIndex((one) => one.id === message.sender);
  const inside = make("div", { class: `bubble${message.photo ? " pictured" : ""}` });
  if (message.photo) inside.append(picture(message));
  inside.append(make("b", { class: `who hue-${seat < 0 ? "none" : seat % 8}` }, message.name ?? ""));
  if (message.receiver) inside.append(make("span", { class: "only" }, "Only you see this"));
  const replied = message.reply && messages(chat).get(String(message.reply));
  if (replied) inside.append(make("span", { class: "quote" }, plain(replied.html)));
  const text = make("div", { class: "text", dir: "auto" }, fragment(message.html ?? "", hands), meta(message));
  inside.append(text);
  return inside;
}

function meta(message) {
  const parts = [];
  if (message.protected) parts.push(icon("lock", "cannot be forwarded or saved"));
  if (message.edited) parts.push(make("span", {}, "edited"));
  const when = make("time", { title: whole(message.date) }, clock(message.date));
  return make("span", { class: "meta" }, ...parts, when);
}

function picture(message) {
  const [width, height] = message.size;
  const image = make("img", { src: message.photo, width, height, alt: plain(message.html ?? "") || "A picture" });
  const button = make("button", { type: "button", class: "picture", "aria-label": "Enlarge the picture" }, image);
  if (message.spoiler) {
    button.classList.add("covered");
    button.dataset.word = "Press to uncover";
    button.setAttribute("aria-label", "A covered picture. Press to uncover.");
  }
  button.addEventListener("click", () => {
    if (button.classList.contains("covered")) {
      button.classList.remove("covered");
      button.setAttribute("aria-label", "Enlarge the picture");
      return;
    }
    viewer.querySelector("img").src = message.photo;
    viewer.showModal();
  });
  return button;
}

function keyboard(message, hands) {
  if (!message.keyboard) return null;
  const rows = message.keyboard.map((row) => make("div", { class: "row" }, ...row.map((one) => key(message, one, hands))));
  return make("div", { class: "keyboard", role: "group", "aria-label": "Buttons of this message" }, ...rows);
}

function key(message, button, hands) {
  const element = make("button", { type: "button", class: `key ${button.style ?? ""}${button.url ? " link" : ""}` }, button.text);
  element.addEventListener("click", async () => {
    if (button.url) {
      hands.open(button.url);
      return;
    }
    if (element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    await hands.tap(message, button);
    element.removeAttribute("aria-busy");
  });
  return element;
}

/** Group consecutive messages of the same sender. */
export function regroup(list) {
  const rows = [...list.querySelectorAll(":scope > .message")];
  rows.forEach((row, index) => {
    const goesOn = together(rows[index - 1], row);
    const last = !together(row, rows[index + 1]);
    row.classList.toggle("goes-on", goesOn);
    row.classList.toggle("last", last);
    row.querySelector(":scope > .avatar")?.classList.toggle("gone", !last);
  });
}

function together(one, other) {
  if (!one || !other || one.dataset.from === undefined) return false;
  return one.dataset.from === other.dataset.from && other.dataset.date - one.dataset.date < 300;
}
