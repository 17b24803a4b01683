// The state in this browser: people, chats, turns, and the taken seat. Other modules listen for changes.

const target = new EventTarget();

export const world = {
  bot: "",
  group: { id: 0, title: "", members: 0 },
  people: [],
  pace: "calm",
  /** True if the other seats are the bot's computers; and the number of all seats. */
  computers: false,
  seats: 0,
  /** The group's state, who must answer, and when the next step comes (real seconds since 1970). */
  stage: { at: "empty", asked: [], until: null },
  commands: { group: [], private: [] },
  turns: [],
  /** The id of the person whose seat this browser has. */
  me: Number(recall("me")) || 0,
  /** Chat id → (message key → message). */
  chats: new Map(),
  /** Person's id → payload of an opened deep link whose Start is not pressed yet. */
  links: new Map(),
};

/** Call `heard(detail)` at each event: all, people, stage, me, chat, toasts, turns, link. */
export function on(name, heard) {
  target.addEventListener(name, (event) => heard(event.detail));
}

function tell(name, detail) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

export function person(id) {
  return world.people.find((one) => one.id === id);
}

export function me() {
  return person(world.me);
}

export function messages(chat) {
  return world.chats.get(chat) ?? new Map();
}

/** Take a new snapshot. */
export function begin(snapshot) {
  Object.assign(world, {
    bot: snapshot.bot,
    group: snapshot.group,
    people: snapshot.people,
    pace: snapshot.pace,
    computers: snapshot.computers,
    seats: snapshot.seats,
    stage: snapshot.stage,
    commands: snapshot.commands,
    turns: snapshot.turns,
    chats: new Map(snapshot.chats.map((chat) => [chat.chat, byKey(chat.messages)])),
    links: new Map(),
  });
  if (!person(world.me)) world.me = world.people[0].id;
  tell("all");
}

/** Take changes. */
export function take(news) {
  if (news.people) world.people = news.people;
  if (news.stage) world.stage = news.stage;
  for (const change of news.chats ?? []) {
    const known = messages(change.chat);
    world.chats.set(change.chat, known);
    const fresh = change.messages.filter((message) => !known.has(message.key)).map((message) => message.key);
    change.gone.forEach((key) => known.delete(key));
    change.messages.forEach((message) => known.set(message.key, message));
    tell("chat", { ...change, messages: change.messages.map((message) => message.key), fresh });
  }
  if (news.people) tell("people");
  if (news.stage) tell("stage");
  if (news.turns) {
    world.turns.push(...news.turns);
    world.turns.splice(0, world.turns.length - 300);
    tell("turns", news.turns);
  }
  if (news.toasts) tell("toasts", news.toasts);
}

/** Take somebody's seat. */
export function become(id) {
  if (id === world.me) return;
  world.me = id;
  keep("me", id);
  tell("me");
}

/** Note that a deep link was opened. Its Start button is in the private chat. */
export function linked(payload) {
  world.links.set(world.me, payload);
  tell("link");
}

function byKey(list) {
  return new Map(list.map((message) => [message.key, message]));
}

function recall(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Without storage, the browser only forgets the seat.
  }
}
