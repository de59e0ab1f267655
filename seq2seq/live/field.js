// The field for the reader's sentence: words are offered while one types, and below it stands what is said of it.

const OFFERED = 8;

/** The field; `known` are the words of the source vocabulary, `changed()` is called after each change, `left()`
 *  when the reader says that it is finished. */
function sentenceField(known, changed, left) {
  const words = known.filter((word) => /^\p{L}/u.test(word));
  const list = element("ul", {
    class: "lt-offers",
    role: "listbox",
    id: uniqueId("offers"),
    "aria-label": MESSAGES.offers(),
    hidden: true,
  });
  const note = element("p", { class: "lt-note", id: uniqueId("note"), hidden: true });
  const input = element("input", {
    type: "text",
    id: uniqueId("sentence"),
    class: "lt-input",
    role: "combobox",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-describedby": note.id,
    oninput: () => (offer(), changed()),
    onkeydown: pressed,
    onblur: close,
    onclick: offer,
    onpaste: paste,
  });
  let active = -1;

  /** The word that is being typed: the letters before the caret. */
  const begun = () => /[\p{L}\p{N}-]*$/u.exec(input.value.slice(0, input.selectionStart ?? input.value.length))[0];
  const isOpen = () => !list.hidden;

  function offer() {
    const start = begun().toLowerCase();
    const offered = start
      ? words
          .filter((word) => word.startsWith(start) && word !== start)
          .sort((a, b) => a.length - b.length)
          .slice(0, OFFERED)
      : [];
    list.replaceChildren(
      ...offered.map((word, place) =>
        element(
          "li",
          {
            role: "option",
            id: `${list.id}-${place}`,
            "aria-selected": "false",
            onpointerdown: (event) => (event.preventDefault(), take(word)),
          },
          element("b", {}, start),
          word.slice(start.length),
        ),
      ),
    );
    list.hidden = !offered.length;
    input.setAttribute("aria-expanded", String(isOpen()));
    mark(-1);
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  }

  function mark(place) {
    active = place;
    [...list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
    if (place < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[place].id);
  }

  /** The offered word in place of the one begun. */
  function take(word) {
    const at = input.selectionStart ?? input.value.length;
    const before = input.value.slice(0, at - begun().length) + word;
    const after = input.value.slice(at).replace(/^[\p{L}\p{N}-]*/u, "");
    input.value = `${before}${after.startsWith(" ") ? "" : " "}${after}`;
    input.focus();
    input.setSelectionRange(before.length + 1, before.length + 1);
    close();
    changed();
  }

  /** Lines become one line, with a space for each break; a field would join their words. */
  function paste(event) {
    const text = event.clipboardData.getData("text/plain");
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    input.setRangeText(text.replace(/\s+/g, " "), input.selectionStart, input.selectionEnd, "end");
    changed();
  }

  function pressed(event) {
    const many = list.children.length;
    if (event.key === "ArrowDown" && !isOpen()) offer();
    else if (event.key === "ArrowDown" && isOpen()) mark((active + 1) % many);
    else if (event.key === "ArrowUp" && isOpen()) mark((active <= 0 ? many : active) - 1);
    else if (event.key === "Escape" && isOpen()) close();
    else if (["Enter", "Tab"].includes(event.key) && isOpen() && active >= 0) take(list.children[active].textContent);
    else if (event.key === "Enter") (close(), left());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Words in the reader's sentence, whatever their case, are replaced by another. */
  function swap(word, other) {
    const letters = word.replace(/[^\p{L}\p{N}]/gu, "\\$&");
    input.value = input.value.replace(new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "giu"), other);
    input.focus();
    changed();
    left();
  }

  /** What is said of the entry: sentences and buttons. */
  function tell(parts) {
    note.replaceChildren(...parts.flatMap((part) => (part === "?" ? [part] : [" ", part])));
    note.hidden = !parts.length;
  }

  return {
    root: element(
      "div",
      { class: "lt-field" },
      element("label", { for: input.id }, MESSAGES.label()),
      element("div", { class: "lt-box" }, input, list),
      note,
    ),
    input,
    words,
    tell,
    swap,
    /** The word that is still being typed, or "". */
    typed: () => (document.activeElement === input ? begun().toLowerCase() : ""),
    /** What the note says, its buttons by their names. */
    heard: () => note.textContent.trim(),
    set(text) {
      input.value = text;
      close();
    },
  };
}
