// Put the page together.

import { Chat } from "./chat.js";
import { avatar, botAvatar, make } from "./dom.js";
import { guide } from "./guide.js";
import { badge, isSeen, onLook, setUp, turnTo } from "./layout.js";
import { keepTime } from "./moment.js";
import { popUp, toast } from "./notices.js";
import { peopleBar } from "./people.js";
import { act, again, listen, onTrouble } from "./server.js";
import { tableTools } from "./tools.js";
import { underneath } from "./underneath.js";
import { linked, me, messages, on, world } from "./world.js";

const byId = (id) => document.getElementById(id);
let tapped = "group";
const unread = { group: 0, private: 0 };

/** The acts in a chat, all done as the person whose seat is taken. */
function hands(chat) {
  return {
    say: (text) => act({ do: "say", user: world.me, chat: chat(), text }),
    tap: (message, button) => {
      tapped = chat() === world.group.id ? "group" : "private";
      return act({ do: "tap", user: world.me, chat: chat(), message: message.key, data: button.callback_data });
    },
    open: follow,
    copied: () => toast("Copied", spot()),
  };
}

/** The pane of the last tap, which shows its answer; on a phone, the visible pane. */
function spot() {
  const pane = byId(tapped);
  return pane.offsetParent ? pane : byId(tapped === "group" ? "private" : "group");
}

const group = new Chat(byId("group"), "group", hands(() => world.group.id));
const own = new Chat(byId("private"), "private", hands(() => world.me));
const redrawUnderneath = underneath(byId("underneath"));

function follow(url) {
  const address = new URL(url);
  const start = address.searchParams.get("start");
  if (address.hostname === "t.me" && address.pathname.slice(1).toLowerCase() === world.bot.toLowerCase()) {
    if (start) linked(start);
    turnTo("private");
    own.foot.querySelector("button, input")?.focus();
  } else if (address.hostname === "t.me" && address.pathname.startsWith("/c/")) {
    turnTo("group");
    group.toEnd();
  } else {
    window.open(url, "_blank", "noopener,noreferrer");
  }
}

function whoIsThere(members) {
  return world.computers ? "you and the bot; its computers play along" : `${members} members and the bot`;
}

function showGroup() {
  const { title, members } = world.group;
  const face = make("span", { class: "avatar hue-7", "aria-hidden": "true" }, [...title.replace(/^The /, "")][0]);
  const titles = make("div", { class: "titles" }, make("h2", { dir: "auto" }, title), make("p", {}, whoIsThere(members)));
  group.head.replaceChildren(face, titles);
  group.show(world.group.id, () =>
    make(
      "div",
      { class: "welcome" },
      make("p", { class: "lead" }, "Nobody plays here yet"),
      make("p", {}, "You are one of this group. Open a lobby, join it, and start; the private chat beside it is yours alone."),
      make("button", { type: "button", class: "key primary", onclick: () => group.hands.say("/newgame") }, "Open a lobby: /newgame"),
      make("button", { type: "button", class: "plain", onclick: () => again(world.seats, true, true) }, "Rather play against computers"),
    ),
  );
}

function showPrivate() {
  const one = me();
  const itself = make("input", { type: "checkbox", role: "switch", id: "itself" });
  itself.addEventListener("change", () => act({ do: "itself", user: world.me, on: itself.checked }));
  const titles = make("div", { class: "titles" }, make("h2", {}, "Chancellery"), make("p", {}, `the bot, in private with ${one.name}`));
  own.head.replaceChildren(botAvatar(), titles, make("label", { class: "switch" }, itself, make("span", {}, "Play this seat for me")));
  own.show(world.me, () =>
    make("div", { class: "welcome" }, avatar(world.people, one.id, one.name), make("p", {}, `What the bot and ${one.name} write to each other stands here, and nobody else sees it.`)),
  );
  byId("private").setAttribute("aria-label", `The private chat of ${one.name}`);
  document.querySelector(".tabs .whose").textContent = `${one.name}’s chat`;
  refreshPerson();
}

/** Show what depends on whether the person has started or blocked the bot. */
function refreshPerson() {
  const one = me();
  byId("itself").checked = one.itself;
  const waiting = world.links.has(world.me);
  const silent = !one.started && !messages(world.me).size;
  let big = null;
  if (one.blocked) big = ["Unblock the bot", () => act({ do: "block", user: world.me, on: false })];
  else if (waiting || silent) big = ["Start", start];
  const wanted = big ? big[0] : "";
  if (own.foot.dataset.big === wanted) return;
  own.foot.dataset.big = wanted;
  const focused = own.foot.contains(document.activeElement);
  if (big) own.foot.replaceChildren(make("button", { type: "button", class: "big", onclick: big[1] }, big[0]));
  else own.foot.replaceChildren(own.writer.list, own.writer.form);
  if (focused) own.foot.querySelector("input, button").focus({ preventScroll: true });
}

async function start() {
  const payload = world.links.get(world.me);
  world.links.delete(world.me);
  await act({ do: "start", user: world.me, payload });
  refreshPerson();
}

function noteUnread(change) {
  const pane = change.chat === world.group.id ? "group" : change.chat === world.me ? "private" : null;
  if (!pane || isSeen(pane)) return;
  const others = change.fresh.filter((key) => messages(change.chat).get(key)?.sender !== world.me);
  unread[pane] += others.length;
  badge(pane, unread[pane]);
}

setUp();
onLook((pane) => {
  if (pane in unread) badge(pane, (unread[pane] = 0));
  if (pane === "group") group.toEnd();
  if (pane === "private") own.toEnd();
  if (pane === "underneath") redrawUnderneath();
  guide();
});
onTrouble((text) => toast(text, spot(), true));
peopleBar(byId("people"));
tableTools();

on("all", () => {
  showGroup();
  showPrivate();
});
on("me", () => {
  showGroup();
  showPrivate();
  badge("private", (unread.private = 0));
});
on("people", refreshPerson);
on("link", refreshPerson);
on("chat", (change) => {
  if (change.chat === world.group.id) group.update(change);
  if (change.chat === world.me) {
    own.update(change);
    refreshPerson();
  }
  noteUnread(change);
});
on("toasts", (toasts) => {
  for (const one of toasts.filter((shown) => shown.user === world.me)) {
    if (one.url) follow(one.url);
    else if (one.text && one.alert) popUp(one.text);
    else if (one.text) toast(one.text, spot());
  }
});

keepTime();
listen();
