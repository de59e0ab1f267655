// Read from disk, a page cannot fetch the others: what is found is shown without the lines around it.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// The same page as slides.
if (new URLSearchParams(location.search).has("slides")) {
  document.documentElement.classList.add("as-slides");
  document.head.append(Object.assign(document.createElement("script"), { src: new URL("slides.js", document.currentScript.src) }));
}

// Paper is white: a page that is read in the dark is printed in the light.
addEventListener("beforeprint", () => {
  const { theme } = document.documentElement.dataset;
  document.documentElement.dataset.theme = "light";
  addEventListener("afterprint", () => (document.documentElement.dataset.theme = theme), { once: true });
});

// What the theme leaves unnamed or misnamed for those who listen to the page.
document.addEventListener("DOMContentLoaded", () => {
  const each = (selector, mend) => document.querySelectorAll(selector).forEach(mend);
  // The words that are seen must be part of the name that is spoken.
  each(".search-button-field[aria-label]", (button) => button.removeAttribute("aria-label"));
  each("summary[aria-label]", (summary) => summary.removeAttribute("aria-label"));
  each(".toggle-button", (button) => button.setAttribute("aria-label", button.parentElement.textContent.trim()));
  each(".theme-switch-button", (button) => {
    button.setAttribute("aria-label", "Colour mode: Light, Dark or System Settings");
  });
  // The theme's banner is empty, and the logo above the contents belongs to no landmark.
  each("#pst-header", (header) => header.setAttribute("role", "none"));
  each(".navbar-brand", (logo) => logo.parentElement.setAttribute("role", "banner"));
  // Sphinx gives the bibliography a list's role without a list's children.
  each(".citation-list, .citation[role]", (entry) => entry.removeAttribute("role"));
  // What is stacked on a phone is a table still.
  const roles = { table: "table", "thead, tbody": "rowgroup", tr: "row", th: "columnheader", td: "cell" };
  for (const [tags, role] of Object.entries(roles)) {
    each(`.tag_stacked :is(${tags})`, (part) => part.setAttribute("role", role));
  }
  // A line begins with no comma that belongs to the formula before it, and ends with no bracket of the one behind.
  each("span.math", (formula) => {
    const { previousSibling: before, nextSibling: after } = formula;
    const opening = before?.nodeType === Node.TEXT_NODE && /[([“‘]+$/.exec(before.data);
    const closing = after?.nodeType === Node.TEXT_NODE && /^[,.;:!?)\]”’]+/.exec(after.data);
    if (!opening && !closing) return;
    const whole = document.createElement("span");
    whole.style.whiteSpace = "nowrap";
    formula.before(whole);
    if (opening) whole.append(before.splitText(opening.index));
    whole.append(formula);
    if (closing) {
      after.splitText(closing[0].length);
      whole.append(after);
    }
  });
  // What scrolls sideways can be reached by keyboard.
  each(".highlight pre, div.math, .course-figure-box, .pst-scrollable-table-container", (box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
  });
});
