// Show times as Telegram does: absolute ones, and relative ones that keep counting.

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "medium" });
const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

let ahead = 0;

/** The session's time in seconds since 1970, which runs ahead of the browser's. */
export function setNow(unix) {
  ahead = unix - Date.now() / 1000;
}

export function clock(unix) {
  return CLOCK.format(unix * 1000);
}

export function whole(unix) {
  return WHOLE.format(unix * 1000);
}

/** Return a relative time such as “in 4 minutes”. */
export function relative(unix, now = Date.now() / 1000 + ahead) {
  const seconds = Math.round(unix - now);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS.at(-1);
  return RELATIVE.format(Math.trunc(seconds / size), unit);
}

/** Return an element for `<tg-time>`: relative with the format `r`, else a date and time. */
export function timeElement(unix, format, words) {
  const element = document.createElement("time");
  element.className = "moment";
  element.dateTime = new Date(unix * 1000).toISOString();
  element.title = whole(unix);
  if (format === "r") {
    element.dataset.unix = unix;
    element.textContent = relative(unix);
  } else {
    element.textContent = format ? absolute(unix, format) : words;
  }
  return element;
}

function absolute(unix, format) {
  const options = {};
  if (format.includes("w")) options.weekday = "long";
  if (format.includes("D")) Object.assign(options, { day: "numeric", month: "long", year: "numeric" });
  if (format.includes("d")) Object.assign(options, { day: "2-digit", month: "2-digit", year: "2-digit" });
  if (format.includes("T")) Object.assign(options, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  if (format.includes("t")) Object.assign(options, { hour: "2-digit", minute: "2-digit" });
  return new Intl.DateTimeFormat(undefined, options).format(unix * 1000);
}

/** Update all relative times on the page. */
export function keepTime() {
  setInterval(() => {
    for (const element of document.querySelectorAll("time[data-unix]")) {
      const text = relative(Number(element.dataset.unix));
      if (element.textContent !== text) element.textContent = text;
    }
  }, 1000);
}
