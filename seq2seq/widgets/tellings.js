// What a picture shows, in words: to those who listen, and as a table of its numbers.

/** A count with its noun: 1 draw, 2 draws. */
const several = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The sentence that says what has changed: seen below the picture, and read out once things have come to rest. */
function spokenLine() {
  const root = element("p", { class: "cw-spoken", "aria-hidden": "true" });
  const heard = element("p", { class: "cw-heard", "aria-live": "polite" });
  let waiting;
  return {
    root: element("div", {}, root, heard),
    /** The first sentence is seen and not read out: nothing has changed yet. */
    say(sentence) {
      const first = root.textContent === "";
      root.textContent = sentence;
      clearTimeout(waiting);
      if (!first) waiting = setTimeout(() => (heard.textContent = sentence), 400);
    },
  };
}

/** The picture's numbers, to unfold: `fill(caption, columns, rows)`; the first cell of a row is its heading. */
function asText() {
  const table = element("table", { class: "cw-table" });
  const box = element("div", { class: "cw-scroll", role: "region", "aria-label": "Table, scrolls", tabindex: 0 }, table);
  return {
    root: element("details", { class: "cw-text" }, element("summary", {}, "As text"), box),
    fill(caption, columns, rows) {
      box.setAttribute("aria-label", caption);
      table.replaceChildren(
        element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))),
        element(
          "tbody",
          {},
          ...rows.map(([first, ...rest]) =>
            element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell) => element("td", {}, cell))),
          ),
        ),
      );
    },
  };
}
