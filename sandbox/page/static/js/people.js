// The row of people whose seats can be taken.

import { avatar, icon, make } from "./dom.js";
import { become, on, world } from "./world.js";

export function peopleBar(fieldset) {
  const rows = new Map();

  function build() {
    rows.forEach((row) => row.remove());
    rows.clear();
    for (const one of world.people) {
      const input = make("input", { type: "radio", name: "seat", value: one.id, onchange: () => become(one.id) });
      const face = make(
        "span",
        { class: "face" },
        avatar(world.people, one.id, one.name),
        make("span", { class: "owes" }),
        make("span", { class: "itself" }, icon("robot")),
      );
      const row = make("label", { class: "person" }, input, face, make("span", { class: "name", dir: "auto" }, one.name));
      rows.set(one.id, row);
      fieldset.append(row);
    }
    refresh();
  }

  function refresh() {
    for (const one of world.people) {
      const row = rows.get(one.id);
      if (!row) continue;
      const input = row.querySelector("input");
      input.checked = one.id === world.me;
      row.classList.toggle("plays-itself", one.itself);
      row.classList.toggle("owing", one.owes);
      row.classList.toggle("blocking", one.blocked);
      const states = [one.itself && "is played for you", one.owes && "is asked something", one.blocked && "blocks the bot"];
      input.setAttribute("aria-label", [one.name, ...states.filter(Boolean)].join(", "));
    }
  }

  on("all", build);
  on("people", refresh);
  on("me", refresh);
}
