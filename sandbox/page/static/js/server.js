// The connection to the server: a stream of news, and requests to act.

import { setNow } from "./moment.js";
import { begin, take } from "./world.js";

const away = document.getElementById("away");
let complain = () => {};

/** `heard(text)` gets errors. */
export function onTrouble(heard) {
  complain = heard;
}

/** Listen for ever. The browser reconnects by itself, and first gets a snapshot. */
export function listen() {
  const stream = new EventSource("/api/stream");
  let timer = 0;
  stream.addEventListener("open", () => {
    clearTimeout(timer);
    away.hidden = true;
  });
  stream.addEventListener("error", () => {
    clearTimeout(timer);
    timer = setTimeout(() => (away.hidden = false), 1500);
  });
  stream.addEventListener("snapshot", (event) => hear(event, begin));
  stream.addEventListener("news", (event) => hear(event, take));
}

function hear(event, use) {
  const told = JSON.parse(event.data);
  setNow(told.now);
  use(told);
}

/** Ask the server to do something; return whether it was done. */
export async function act(wish) {
  return send("/api/act", wish);
}

/** Start a new session. */
export async function again(players, others, computers) {
  return send("/api/again", { players, others, computers });
}

async function send(path, wish) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
    });
    const answer = await response.json();
    if (!answer.ok) complain(answer.error);
    return answer.ok;
  } catch {
    complain("The server does not answer.");
    return false;
  }
}

export async function load(path) {
  const response = await fetch(path);
  return response.ok ? response.json() : null;
}
