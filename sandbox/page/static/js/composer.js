// The form to write, which completes the commands that the bot registered for this kind of chat.

import { icon, make } from "./dom.js";

/** Return the form. `commands()` lists {command, description}; `say(text)` sends. */
export function composer(id, label, commands, say) {
  const list = make("ul", { class: "completions", role: "listbox", id: `${id}-commands`, "aria-label": "Commands", hidden: true });
  const input = make("input", {
    id: `${id}-say`,
    autocomplete: "off",
    maxLength: 4096,
    enterKeyHint: "send",
    placeholder: "Message or /command",
    "aria-label": label,
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-autocomplete": "list",
  });
  const send = make("button", { "aria-label": "Send" }, icon("send"));
  const form = make("form", { class: "composer" }, input, send);
  let chosen = -1;

  function offered() {
    const match = /^\/(\w*)$/.exec(input.value);
    return match ? commands().filter((one) => one.command.startsWith(match[1].toLowerCase())) : [];
  }

  function show() {
    const found = offered();
    chosen = found.length ? Math.min(Math.max(chosen, 0), found.length - 1) : -1;
    list.replaceChildren(
      ...found.map((one, index) =>
        make(
          "li",
          { role: "option", id: `${id}-command-${index}`, "aria-selected": String(index === chosen), onmousedown: (event) => pick(event, one) },
          make("b", {}, `/${one.command}`),
          make("span", {}, one.description),
        ),
      ),
    );
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (chosen >= 0) input.setAttribute("aria-activedescendant", `${id}-command-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  function hide() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function pick(event, one) {
    event.preventDefault();
    speak(`/${one.command}`);
  }

  function speak(text) {
    input.value = "";
    hide();
    if (text.trim()) say(text.trim());
  }

  input.addEventListener("input", () => {
    chosen = 0;
    show();
  });
  input.addEventListener("blur", hide);
  input.addEventListener("keydown", (event) => {
    const found = list.hidden ? [] : offered();
    if (!found.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      show();
    } else if (event.key === "Enter") {
      speak(`/${found[chosen].command}`);
    } else if (event.key === "Tab" && input.value !== `/${found[chosen].command}`) {
      input.value = `/${found[chosen].command}`;
      show();
    } else if (event.key === "Escape") {
      hide();
    } else {
      return;
    }
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    speak(input.value);
  });
  return { form, list, input };
}
