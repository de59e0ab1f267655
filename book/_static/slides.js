// The page as slides, when its address ends with ?slides: each figure, equation, table and question below the heading of
// its section. What a slide shows is moved there from the page, so that widgets go on working; the prose around it is
// the speaker's notes.
(() => {
  const [WIDTH, HEIGHT, TALL, LEAST] = [1280, 720, 0.65, 0.68];
  const PROSE = "section > :is(p, ul, ol)";
  const SHOWN = "figure, .pst-scrollable-table-container:has(> table[id]), .course-predict, .course-assignment, #summary > ul";
  const EQUATION = "div.math[id]";
  const ELSEWHERE = "details, .exercise, .solution, .admonition:not(.course-predict, .course-assignment), #references";

  function make(tag, className, ...children) {
    const element = Object.assign(document.createElement(tag), { className });
    element.append(...children);
    return element;
  }

  /** A copy without what is of use on the page alone, and without places that links lead to. */
  function copied(element) {
    const copy = element.cloneNode(true);
    copy.querySelectorAll(".headerlink, script").forEach((part) => part.remove());
    [copy, ...copy.querySelectorAll("[id]")].forEach((part) => part.removeAttribute("id"));
    return copy;
  }

  /** Leaves the first sentence of a text, or the last, if it is more than a word: each is a line of its own in the source. */
  function shorten(text, place = 0) {
    const lines = [[]];
    for (const node of text.childNodes) {
      const [first, ...others] = node.nodeType === Node.TEXT_NODE ? node.data.split("\n") : [node];
      lines.at(-1).push(first);
      lines.push(...others.map((line) => [line]));
    }
    const textOf = (line) => line.map((part) => part.textContent ?? part).join("").trim();
    const sentence = lines.filter(textOf).at(place);
    if (sentence && textOf(sentence).includes(" ")) text.replaceChildren(...sentence);
    return text;
  }

  /** What is said beside the slide; notes have no MathJax, and browsers draw its MathML themselves. */
  function noted(element) {
    const copy = copied(element);
    for (const formula of copy.querySelectorAll("mjx-container")) formula.replaceWith(formula.querySelector("math"));
    return copy;
  }

  class Slide {
    constructor(headings, ...shown) {
      this.content = make("div", "slide-content", ...shown);
      this.notes = make("aside", "notes");
      const caption = this.content.querySelector("figcaption");
      const below = caption ? [make("div", "slide-caption", ...caption.children)] : [];
      caption?.remove();
      const slide = make("div", "slide", make("header", "", ...headings), make("div", "slide-room", this.content), ...below);
      this.root = make("section", "", slide, this.notes);
    }

    note(elements) {
      this.notes.append(...elements.map(noted));
    }
  }

  /** The heading of a section, below that of the section around it. */
  function headed(heading) {
    const name = make("h2", "", ...copied(heading).childNodes);
    const outer = heading.localName === "h3" && heading.closest("section").parentElement.querySelector("h2");
    return outer ? [make("p", "slide-part", ...copied(outer).childNodes), name] : [name];
  }

  function sentences(list) {
    list.querySelectorAll("li").forEach((item) => item.replaceChildren(shorten(item.querySelector("p") ?? item)));
    return list;
  }

  /** Moves what is shown from the article to slides, in its order. */
  function cut(article) {
    const title = article.querySelector("h1");
    const slides = [new Slide([make("h1", "", ...copied(title).childNodes)], article.querySelector(".course-goals"))];
    const parts = [...article.querySelectorAll(`h2, h3, ${PROSE}, ${SHOWN}, ${EQUATION}`)];
    const near = new Map(parts.map((part) => [part, { before: part.previousElementSibling, after: part.nextElementSibling }]));
    let [heading, section, waiting, equation] = [title, [], []];
    for (const part of parts) {
      if (part.parentElement.closest(`${ELSEWHERE}, ${SHOWN}`)) continue;
      if (part.matches("h2, h3")) {
        if (section.length) section.at(-1).note(waiting.splice(0));
        [heading, section] = [part, []];
      } else if (part.matches(EQUATION)) {
        const { before, after } = near.get(part);
        const lead = before?.localName === "p" ? [shorten(copied(before), -1)] : [];
        const rest = after?.localName === "p" && !near.get(after)?.after?.matches(EQUATION) ? [shorten(copied(after))] : [];
        if (equation && (lead.length ? near.get(before)?.before : before) === equation) {
          section.at(-1).note(waiting.splice(0));
          section.at(-1).content.append(...lead, part, ...rest);
        } else place(new Slide(headed(heading), ...lead, part, ...rest));
        equation = part;
      } else if (part.matches(SHOWN)) {
        const caption = part.querySelector("figcaption, caption");
        if (caption) waiting.push(make("p", "", ...copied(caption).childNodes));
        part.querySelectorAll(".caption-text").forEach(shorten);
        place(new Slide(headed(heading), part.matches("ul") ? sentences(part) : part));
      } else waiting.push(part);
    }
    slides.at(-1).note(waiting);
    return slides;

    /** Of the prose between two slides of a section, the last paragraph leads to the second. */
    function place(slide) {
      const lead = section.length ? waiting.splice(-1) : waiting.splice(0);
      if (section.length) section.at(-1).note(waiting.splice(0));
      slide.note(lead);
      section.push(slide);
      slides.push(slide);
    }
  }

  /** As large as its room allows; the heading of what is tall stands at its side. */
  function fit(content) {
    const room = content.parentElement;
    room.parentElement.classList.toggle("tall", content.offsetHeight > TALL * content.offsetWidth);
    const [wide, high] = [room.clientWidth / content.offsetWidth, room.clientHeight / content.offsetHeight];
    const scale = high < LEAST ? Math.min(wide, 1) : Math.min(wide, high); // what would be too small to read scrolls
    if (!Number.isFinite(scale)) return;
    content.style.transform = `scale(${scale})`;
    content.style.marginBottom = `${(scale - 1) * content.offsetHeight}px`; // the room sees the size before the scale
  }

  function loaded(tag, attributes) {
    const element = Object.assign(document.createElement(tag), attributes);
    const arrival = new Promise((resolve) => element.addEventListener("load", resolve));
    document.head.append(element);
    return arrival;
  }

  async function present(folder) {
    const at = (path) => new URL(path, folder).href;
    await Promise.all([
      ...["vendor/reveal/reveal.css", "slides.css"].map((path) => loaded("link", { rel: "stylesheet", href: at(path) })),
      ...["vendor/reveal/reveal.js", "vendor/reveal/notes.js"].map((path) => loaded("script", { src: at(path) })),
      window.MathJax?.startup?.promise,
      document.readyState === "complete" || new Promise((resolve) => addEventListener("load", resolve)),
    ]);
    const slides = cut(document.querySelector("article.bd-article"));
    const back = Object.assign(make("a", "", "The page"), { href: location.pathname });
    const tools = make("nav", "slide-tools", back, document.querySelector(".theme-switch-button"));
    tools.ariaLabel = "About these slides";
    const deck = make("main", "reveal", make("div", "slides bd-article", ...slides.map(({ root }) => root)));
    for (const part of document.body.children) part.hidden = true; // the theme's scripts still look for some of it
    document.body.append(deck, tools);
    const resized = new ResizeObserver((entries) => requestAnimationFrame(() => entries.forEach(({ target }) => fit(target))));
    slides.forEach(({ content }) => resized.observe(content));
    const pressesItself = ({ key }) => [" ", "Enter"].includes(key) && document.activeElement.matches("summary, button, a");
    await Reveal.initialize({
      width: WIDTH,
      height: HEIGHT,
      margin: 0,
      center: false,
      hash: true,
      transition: "none",
      slideNumber: "c/t",
      keyboardCondition: (event) => !pressesItself(event),
      plugins: [RevealNotes],
    });
    deck.removeAttribute("role"); // an application's words could not be read one by one
  }

  present(document.currentScript.src);
})();
