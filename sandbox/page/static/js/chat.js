// A chat's pane: its head, its messages, and the form to write.

import { bubble, regroup } from "./bubble.js";
import { composer } from "./composer.js";
import { icon, make } from "./dom.js";
import { messages, world } from "./world.js";

const NEAR = 90;

export class Chat {
  /** `kind`: group or private; `hands`: the acts of messages and of the form. */
  constructor(pane, kind, hands) {
    this.pane = pane;
    this.chat = 0;
    /** True if the newest message stays in sight. */
    this.stuck = true;
    this.top = 0;
    this.hands = hands;
    this.head = make("header", { class: "head" });
    this.list = make("div", { class: "messages", role: "log", tabIndex: 0, "aria-label": "Messages", onscroll: () => this.scrolled() });
    this.end = make("button", { type: "button", class: "to-end", hidden: true, "aria-label": "To the newest message", onclick: () => this.toEnd() }, icon("down"));
    this.writer = composer(pane.id, kind === "group" ? "Write in the group" : "Write to the bot", () => world.commands[kind], hands.say);
    this.foot = make("footer", { class: "foot" }, this.writer.list, this.writer.form);
    // A picture that loads late must not push the newest message out of sight.
    this.list.addEventListener("load", () => this.stuck && this.toEnd(), true);
    // Nor may a phone's keyboard or a narrower window.
    new ResizeObserver(() => this.stuck && this.toEnd()).observe(this.list);
    pane.replaceChildren(this.head, this.list, this.end, this.foot);
  }

  /** Show this chat from its beginning; show `welcome` if it is empty. */
  show(chat, welcome) {
    this.chat = chat;
    this.welcome = welcome;
    const rows = [...messages(chat).values()].map((message) => bubble(message, chat, this.hands));
    this.list.replaceChildren(...(rows.length ? rows : [welcome()]));
    this.after();
    this.toEnd();
  }

  /** Show new and changed messages, and remove deleted ones. */
  update({ messages: keys, gone }) {
    this.list.querySelector(".welcome")?.remove();
    gone.forEach((key) => this.row(key)?.remove());
    for (const key of keys) {
      const message = messages(this.chat).get(key);
      if (message) this.place(key, bubble(message, this.chat, this.hands));
    }
    if (!this.list.children.length) this.list.append(this.welcome());
    this.after();
    if (this.stuck) this.toEnd();
    else this.end.hidden = false;
  }

  place(key, row) {
    const old = this.row(key);
    if (!old) {
      row.classList.add("fresh");
      this.list.append(row);
      return;
    }
    const focused = [...old.querySelectorAll("button")].indexOf(document.activeElement);
    old.replaceWith(row);
    // An edit must not take the keyboard's focus away from the message.
    if (focused >= 0) (row.querySelectorAll("button")[focused] ?? this.list).focus({ preventScroll: true });
  }

  after() {
    regroup(this.list);
  }

  row(key) {
    return this.list.querySelector(`:scope > [data-key="${CSS.escape(key)}"]`);
  }

  isNear() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR;
  }

  toEnd() {
    this.list.scrollTop = this.list.scrollHeight;
    this.stuck = true;
    this.end.hidden = true;
  }

  scrolled() {
    const top = this.list.scrollTop;
    // Only scrolling up stops following the newest message. The event may come late, after a picture has loaded.
    if (this.isNear()) this.stuck = true;
    else if (top < this.top) this.stuck = false;
    this.top = top;
    this.end.hidden = this.stuck;
  }
}
