// Makes of a page of the book what an e-reader can show, for book/epub.py; ids become names of XML.
const named = (id) => id.replace(/[^\w.-]/g, "-");
const SILENT = ".headerlink, .toggle-button, .copybtn, script, style, noscript, details.hide, .sd-summary-icon, .sd-summary-state-marker";

/** Where a link leads from this book: to another of its files, or to the web. */
function address(link, { pages, root, base }) {
  const here = new URL(link.getAttribute("href"), location);
  if (!here.href.startsWith(root)) return here.href;
  const [name, rest] = here.href.slice(root.length).split(/\.html(?=#|$)/);
  if (rest === undefined || !pages.includes(name)) return base + here.href.slice(root.length);
  return `${name.split("/").pop()}.xhtml${rest && `#${named(decodeURIComponent(rest.slice(1)))}`}`;
}

/** Behind what moves on the web stands where that is. */
function point(element, { root, base }) {
  const link = Object.assign(document.createElement("a"), { textContent: "the book's web page" });
  link.href = base + location.href.slice(root.length);
  const line = Object.assign(document.createElement("p"), { className: "try" });
  line.append("Try it in ", link, ".");
  element.after(line);
}

/** A still picture in place of what moves. */
function still(moving, source, book) {
  const [label, sentence] = [moving.getAttribute("aria-label"), moving.querySelector(".cw-spoken")?.textContent];
  const drawn = [...moving.querySelectorAll("svg[aria-label]")].map((part) => part.getAttribute("aria-label"));
  const alt = (label ? [label, sentence] : drawn).filter(Boolean).join(": ");
  const picture = Object.assign(document.createElement("img"), { src: source, alt });
  moving.replaceWith(picture);
  point(picture, book);
}

/** The page's title and sections, and its text as XHTML. */
function take({ moving, pictures, ...book }) {
  const article = document.querySelector("article.bd-article");
  article.querySelectorAll(moving).forEach((part, at) => still(part, pictures[at], book));
  for (const live of article.querySelectorAll("live-translation")) {
    const [words] = live.children;
    live.replaceWith(words);
    point(words, book);
  }
  article.querySelectorAll(SILENT).forEach((part) => part.remove());
  article.querySelectorAll("details").forEach((fold) => (fold.open = true));
  for (const formula of article.querySelectorAll("mjx-container")) formula.replaceWith(formula.querySelector("math"));
  for (const link of article.querySelectorAll("a[href]")) link.setAttribute("href", address(link, book));
  for (const part of article.querySelectorAll("[id]:not(svg *)")) part.id = named(part.id);
  for (const part of article.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  return {
    title: article.querySelector("h1").textContent.trim(),
    sections: [...article.querySelectorAll("section > h2")].map((heading) => [heading.textContent.trim(), heading.closest("section").id]),
    body: new XMLSerializer().serializeToString(article).replace(/var\(--[\w-]+, ?(#\w+)\)/g, "$1"),
    holds: ["mathml", "svg"].filter((kind) => article.querySelector(kind.replace("ml", ""))),
  };
}
