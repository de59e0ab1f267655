// Elements of a page and of a picture, by their tags.

let idsMade = 0;

/** An id that no other element of the page has, whatever number of widgets stands on it. */
function uniqueId(stem) {
  idsMade += 1;
  return `cw-${stem}-${idsMade}-${Math.random().toString(36).slice(2, 7)}`;
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element: `element("p", { class: "cw-note", onclick: f }, "text", child)`. */
function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for a part of an SVG picture. */
function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Lines that are not broken, so that they always need the same room; what is longer is drawn sideways. */
function sideways(label, ...children) {
  return element("div", { class: "cw-sideways", role: "region", "aria-label": `${label}, scrolls sideways`, tabindex: 0 }, ...children);
}

/** Controls side by side, wrapping on a phone. */
function row(...children) {
  return element("div", { class: "cw-row" }, ...children);
}
