// The settings of the session: automatic players, their pace, the number of seats, and people or computers.

import { act, again } from "./server.js";
import { make } from "./dom.js";
import { on, world } from "./world.js";

const FEWEST = 5;
const MOST = 16;

export function tableTools() {
  const others = document.getElementById("others");
  const pace = document.getElementById("pace");
  const players = document.getElementById("players");
  const opponents = document.getElementById("opponents");
  for (let count = FEWEST; count <= MOST; count += 1) players.append(make("option", { value: String(count) }, String(count)));

  function refresh() {
    const rest = world.people.filter((one) => one.id !== world.me);
    const playing = rest.filter((one) => one.itself).length;
    others.checked = playing === rest.length;
    others.indeterminate = playing > 0 && playing < rest.length;
  }

  others.addEventListener("change", () => act({ do: "itself", user: world.me, others: true, on: others.checked }));
  pace.addEventListener("change", () => act({ do: "pace", pace: pace.value, user: world.me }));
  document.getElementById("again").addEventListener("click", () => again(Number(players.value), others.checked, opponents.value === "computers"));
  on("all", () => {
    pace.value = world.pace;
    players.value = String(world.seats);
    opponents.value = world.computers ? "computers" : "people";
    // With computers there are no other people to play automatically.
    document.getElementById("others-switch").hidden = world.computers;
    refresh();
  });
  on("people", refresh);
  on("me", refresh);
}
