// Create elements.

/** Return an element with this tag, properties (`class`, `data`, aria-*, on…) and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Return one of the icons at the top of the page. */
export function icon(name, label) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  return svg;
}

/** Return a person's avatar: their initial on the colour of their seat. */
export function avatar(people, id, name) {
  const seat = people.findIndex((one) => one.id === id);
  const initial = [...(name || "?")][0].toUpperCase();
  return make("span", { class: `avatar hue-${seat < 0 ? "none" : seat % 8}`, "aria-hidden": "true" }, initial);
}

export function botAvatar() {
  const picture = make("img", { src: "/static/icon.svg", alt: "" });
  return make("span", { class: "avatar", "aria-hidden": "true" }, picture);
}
