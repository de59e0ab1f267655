// A symbol of a displayed equation, its name in the code, its box in a figure and its row in a table light together:
// hovered, tapped, or reached by the arrow keys from the equation, the code or the figure that has the focus.
"use strict";
{
  const { keys, lines, letters } = SYMBOLS;
  const HINT = "The left and right arrow keys go from symbol to symbol.";
  const PARTS = "[data-symbol]:not(mjx-assistive-mml *)"; // MathJax's copy for screen readers has the marks too
  const make = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
  const article = document.querySelector(".bd-article");

  // Before MathJax sets a formula: its tree has a node for each symbol, with an index or alone.
  const text = (node) => node.text ?? node.childNodes.map((child) => (child ? text(child) : "")).join("");
  function mark(node) {
    const [base, above] = node.childNodes;
    if (["mi", "mover", "msub", "msubsup"].includes(node.kind)) {
      const name = keys[node.kind.startsWith("ms") ? `${text(base)}_${text(above)}` : text(node)];
      if (name) return node.attributes.set("data-symbol", name);
    }
    // Under an accent, an index or an exponent a letter means something else, and so does an index; transposed it is the same.
    const scripted = /^m(sub|sup|under|over)/.test(node.kind);
    const inner = !scripted ? node.childNodes : node.kind === "msup" && text(above) === "⊤" ? [base] : [];
    for (const child of inner) if (child) mark(child);
  }
  const markFormula = (formula) => formula.display && mark(formula.root);
  const markAll = (page) => [...page.math].forEach(markFormula);
  // After MathJax has given each formula its menu, and with it a place among what the Tab key stops at.
  const passBy = (formula) => formula.display || (formula.typesetRoot.tabIndex = -1);
  const passAllBy = (page) => [...page.math].forEach(passBy);
  (MathJax.options ??= {}).renderActions = { symbols: [30, markAll, markFormula], tab: [180, passAllBy, passBy] };

  for (const name of article.querySelectorAll("pre .n")) {
    const called = name.nextSibling?.textContent.startsWith("(");
    if (lines[name.textContent] && !called && !name.closest("details.hide")) name.dataset.symbol = name.textContent;
  }
  for (const row of article.querySelectorAll("tr")) {
    const [name, other] = [...row.querySelectorAll("code")].map((code) => code.textContent).filter((code) => lines[code]);
    if (name && !other) row.dataset.symbol = name;
  }
  for (const box of article.querySelectorAll(".wiring [data-id], [data-part]")) {
    const name = letters[box.dataset.part ?? box.dataset.id[0]];
    if (name) box.dataset.symbol = name;
  }
  for (const figure of article.querySelectorAll("pre, svg")) if (figure.querySelector(PARTS)) figure.tabIndex = 0;

  const spoken = make("p", "");
  spoken.className = "visually-hidden";
  spoken.setAttribute("role", "status");
  article.append(spoken);
  const aria = { content: null, expanded: false };
  const looks = { theme: "course", trigger: "manual", placement: "top-start", hideOnClick: false, maxWidth: 420, aria };
  let tip = null; // tippy comes after this script, which has to be there before MathJax
  let touched = null;
  let timer = 0;

  /** Shows a line above the place, and above the whole of a formula, which it must not cover. */
  function tell(place, words) {
    const rectangle = (element) => element.getBoundingClientRect();
    const whole = place.closest("mjx-container") ?? place;
    const getReferenceClientRect = () => {
      const { x, width } = rectangle(place);
      const { y, height } = rectangle(whole);
      return new DOMRect(x, y, width, height);
    };
    tip ??= tippy(spoken, looks);
    tip.setProps({ content: words, getReferenceClientRect });
    tip.show();
  }

  function touch(part) {
    clearTimeout(timer);
    if (part && part === touched) return;
    for (const lit of article.querySelectorAll(".symbol-lit")) lit.classList.remove("symbol-lit", "symbol-touched");
    touched = part;
    if (!part) return tip?.hide();
    const name = part.dataset.symbol;
    for (const same of article.querySelectorAll(PARTS)) same.classList.toggle("symbol-lit", same.dataset.symbol === name);
    part.classList.add("symbol-touched");
    const [key, code, meaning] = lines[name];
    const [letter, index = ""] = key.split("_");
    const symbol = make("i", letter);
    symbol.append(make("sub", index));
    const line = make("span", "");
    line.append(symbol, " = ", make("code", code), `: ${meaning}`);
    tell(part, line);
    spoken.textContent = `${key.replace("_", " ")}: ${code}: ${meaning}`;
  }

  const partOf = (target) => (article.contains(target) ? target.closest(PARTS) : null);
  // A pointer that rests while the page scrolls under it, as the keyboard makes it do, has touched nothing.
  document.addEventListener("pointermove", ({ target, pointerType }) => {
    clearTimeout(timer);
    if (pointerType !== "touch") timer = setTimeout(() => touch(partOf(target)), 80);
  });
  document.addEventListener("click", ({ target }) => touch(partOf(target)));
  document.addEventListener("focusout", () => touch(null));
  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(":focus-visible") || !partsOf(target).length) return;
    tell(target, HINT);
    spoken.textContent = HINT;
  });
  const partsOf = (place) => (place.closest(".bd-article *") ? [...place.querySelectorAll(PARTS)] : []);
  // Ahead of MathJax, whose menu has the arrow keys of a formula.
  const walk = (event) => {
    const parts = partsOf(document.activeElement);
    if (!parts.length) return;
    if (event.key === "Escape") touch(null);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by && parts[parts.indexOf(touched) + by];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    touch(next);
  };
  document.addEventListener("keydown", walk, true);
}
