// Read before the scripts that show widgets, on pages that have some: everything lies in the book, nothing is asked of the network.
window.require = {
  baseUrl: `${document.documentElement.dataset.content_root}_static/vendor/amd/`,
  paths: { anywidget: "anywidget/index" },
  waitSeconds: 0, // a slow disk is no failure
};
window.FontAwesomeConfig = { observeMutations: false }; // the theme's icons are in the page from the start
// The scripts' check of what they are given complains of its own rules, on every page and about nothing on it.
{
  const warn = console.warn;
  console.warn = (first, ...rest) => {
    if (!String(first).startsWith("strict mode: use allowUnionTypes")) warn.call(console, first, ...rest);
  };
}
