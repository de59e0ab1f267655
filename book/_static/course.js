// What the theme leaves unnamed or misnamed for those who listen to the page.
document.addEventListener("DOMContentLoaded", () => {
  const each = (selector, mend) => document.querySelectorAll(selector).forEach(mend);
  // The words that are seen must be part of the name that is spoken.
  each(".search-button-field[aria-label]", (button) => button.removeAttribute("aria-label"));
  each("summary[aria-label]", (summary) => summary.removeAttribute("aria-label"));
  each(".theme-switch-button", (button) => {
    button.setAttribute("aria-label", "Colour mode: Light, Dark or System Settings");
  });
  // The theme's banner is empty, and the logo above the contents belongs to no landmark.
  each("#pst-header", (header) => header.setAttribute("role", "none"));
  each(".navbar-brand", (logo) => logo.parentElement.setAttribute("role", "banner"));
  // Sphinx gives the bibliography a list's role without a list's children.
  each(".citation-list, .citation[role]", (entry) => entry.removeAttribute("role"));
  // What scrolls sideways can be reached by keyboard.
  each(".highlight pre, div.math, .pst-scrollable-table-container", (box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
  });
});
