// Makes a book of Sphinx's single page, for book/pdf.py to print. One PAGE is one page of the web book.
const PAGE = "article.bd-article > .book-page";
const LISTINGS = ".cell_input, .source-excerpt";
const BOXES = `${LISTINGS}, .admonition, div.exercise, div.solution, details, pre, table`;

/** A new element. */
function make(tag, className, ...children) {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...children);
  return element;
}

/** The name that links have for a page: "document-book/05_scorers". */
const nameOf = (page) => page.dataset.name;

/** What a heading says, without its own link. */
function wordsOf(heading) {
  const copy = heading.cloneNode(true);
  copy.querySelectorAll(".headerlink").forEach((link) => link.remove());
  copy.querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
  return copy;
}

/** The mark before a page, where links to it lead, becomes part of it: alone it would be printed on a page of its own. */
function takeMarks() {
  for (const page of document.querySelectorAll(PAGE)) {
    page.dataset.name = page.previousElementSibling.id;
    page.prepend(page.previousElementSibling);
  }
}

/** Below what can be moved in the web book stands where that is. */
function addAddresses(base) {
  for (const page of document.querySelectorAll(PAGE)) {
    const address = new URL(`${nameOf(page).replace("document-", "")}.html`, base);
    for (const figure of page.querySelectorAll("figure.interactive, .cw:not(figure.interactive .cw)")) {
      const link = make("a", "", address.host + address.pathname);
      link.href = figure.id ? `${address}#${figure.id}` : address;
      const line = make("p", "print-address", "Try it at ", link);
      const caption = figure.querySelector("figcaption");
      if (caption) caption.before(line);
      else figure.append(line);
    }
  }
}

/** Links lead to places of this PDF or to the web, never to files of this machine; no two places share a name. */
function mendLinks(base) {
  for (const page of document.querySelectorAll(PAGE)) {
    const name = nameOf(page);
    for (const place of page.querySelectorAll(`[id]:not(svg *, #${CSS.escape(name)})`)) place.id = `${name}/${place.id}`;
    for (const link of page.querySelectorAll("a[href]")) {
      const address = link.getAttribute("href");
      if (!address.startsWith("#")) link.href = new URL(address, base);
      else if (!address.startsWith("#document-")) link.href = `#${name}/${address.slice(1)}`;
    }
  }
}

/** A list of chapters and sections, each a link, with room for the number of its page; above the first of a part, its name. */
function addContents(parts) {
  const contents = make("nav", "print-contents", make("h1", "", "Contents"));
  for (const page of document.querySelectorAll(PAGE)) {
    const part = parts[nameOf(page).replace("document-", "")];
    if (part) contents.append(make("p", "print-part", part));
    for (const heading of page.querySelectorAll("h1, h2")) {
      heading.id ||= `${heading.parentElement.id}/heading`;
      const words = make("span", "words", ...wordsOf(heading).childNodes);
      const line = make("a", `print-line of-${heading.localName}`, words, make("span", "number"));
      line.href = `#${heading.id}`;
      contents.append(line);
    }
  }
  document.querySelector("article.bd-article").prepend(contents);
}

/** Each chapter begins a page, and its title stands above all of them: CSS names a kind of page for each. */
function addHeads() {
  const rules = [...document.querySelectorAll(PAGE)].map((page, index) => {
    page.style.page = `part${index}`;
    const title = wordsOf(page.querySelector("h1")).textContent.trim();
    return `@page part${index} { @top-left { content: ${JSON.stringify(title)}; } }`;
  });
  document.head.append(make("style", "", rules.join("\n")));
}

/** Code whose longest line is wider than the page is set smaller. */
function fitCode() {
  for (const code of document.querySelectorAll("article.bd-article pre")) {
    const style = getComputedStyle(code);
    const room = code.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const range = document.createRange();
    range.selectNodeContents(code);
    const { width } = range.getBoundingClientRect();
    if (width > room) code.style.fontSize = `${(parseFloat(style.fontSize) * room * 0.995) / width}px`;
  }
}

/** A box higher than a third of a page may go on on the next: kept whole, it would leave that much empty; tables, than two. */
function letBreak() {
  for (const box of document.querySelectorAll(`article.bd-article :is(${BOXES})`)) {
    const within = box.localName === "pre" && box.closest(LISTINGS)?.classList.contains("print-long");
    const { height } = box.getBoundingClientRect();
    box.classList.toggle("print-long", within || height > (box.localName === "table" ? 640 : 320));
  }
}

/** Whether all widgets are drawn; their scripts load one by one. */
function widgetsDrawn() {
  const views = [...document.querySelectorAll("script[type='application/vnd.jupyter.widget-view+json']")];
  return views.every((view) => view.nextElementSibling?.childElementCount);
}

/** All of it, once what scripts add to the page is there. */
function layOut({ cover, parts }) {
  const base = new URL("..", document.querySelector("link[rel=canonical]").href);
  document.documentElement.dataset.theme = "light";
  document.querySelectorAll("details:not(.hide)").forEach((fold) => (fold.open = true));
  document.querySelectorAll(".toggle-hidden").forEach((block) => block.classList.remove("toggle-hidden"));
  takeMarks();
  addAddresses(base);
  mendLinks(base);
  addContents(parts);
  addHeads();
  fitCode();
  letBreak();
  document.querySelector("article.bd-article").insertAdjacentHTML("afterbegin", cover);
}

/**
 * Writes the pages' numbers into the contents, and tells whether any of them is new.
 *
 * A heading at the edge of two pages may come out on either, in turn: where one comes back, it begins the page.
 */
function number(pages) {
  let changed = false;
  for (const line of document.querySelectorAll(".print-line")) {
    const place = line.querySelector(".number");
    const name = decodeURIComponent(line.hash.slice(1));
    if (!pages[name]) throw new Error(`contents: the printed file has no place ${name}, expected one for each line`);
    const page = String(pages[name]);
    if (place.textContent === page) continue;
    changed = true;
    const earlier = (line.dataset.pages ?? "").split(" ");
    if (earlier.includes(page)) document.getElementById(name).closest("h1, h2, h3").style.breakBefore = "page";
    line.dataset.pages = [...earlier, page].join(" ");
    place.textContent = page;
  }
  return changed;
}
