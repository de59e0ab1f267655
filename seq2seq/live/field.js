// The field for the reader's sentence: words are offered while one types, and unknown ones are said kindly.

const OFFERED = 8;

/** How many letters must be put in, taken out or changed to make one word of the other (Levenshtein, 1966). */
function editDistance(a, b) {
  let before = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    before = row;
  }
  return before[b.length];
}

/** Known words that are nearly the unknown one, nearest first; frequent ones come first in `known`. */
function nearWords(word, known) {
  const most = word.length > 4 ? 2 : 1;
  const near = known.map((other) => [
    Math.abs(other.length - word.length) > most ? Infinity : editDistance(word, other),
    other,
  ]);
  return near
    .filter(([distance]) => distance <= most)
    .sort(([a], [b]) => a - b)
    .slice(0, 3)
    .map(([, other]) => other);
}

/** The field; `known` are the words of the source vocabulary, `changed(text)` is called after each change. */
function sentenceField(known, changed) {
  const words = known.filter((word) => /^\p{L}/u.test(word));
  const isKnown = new Set(known);
  const list = element("ul", {
    class: "lt-offers",
    role: "listbox",
    id: uniqueId("offers"),
    "aria-label": "Words that the models know",
    hidden: true,
  });
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
    oninput: () => (offer(), changed(input.value)),
    onkeydown: pressed,
    onblur: close,
    onclick: offer,
  });
  const note = element("p", { class: "lt-note", role: "status" });
  let active = -1;

  /** The word that is being typed: the letters before the caret. */
  const begun = () => /[\p{L}\p{N}-]*$/u.exec(input.value.slice(0, input.selectionStart ?? input.value.length))[0];
  const isOpen = () => !list.hidden;

  function offer() {
    const start = begun().toLowerCase();
    const found = start
      ? words
          .filter((word) => word.startsWith(start) && word !== start)
          .sort((a, b) => a.length - b.length)
          .slice(0, OFFERED)
      : [];
    list.replaceChildren(
      ...found.map((word, place) =>
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
    list.hidden = !found.length;
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
    changed(input.value);
  }

  function pressed(event) {
    const many = list.children.length;
    if (event.key === "ArrowDown" && !isOpen()) offer();
    else if (event.key === "ArrowDown" && isOpen()) mark((active + 1) % many);
    else if (event.key === "ArrowUp" && isOpen()) mark((active <= 0 ? many : active) - 1);
    else if (event.key === "Escape" && isOpen()) close();
    else if (["Enter", "Tab"].includes(event.key) && isOpen() && active >= 0) take(list.children[active].textContent);
    else if (event.key === "Enter") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The words without the one that is still being typed, as long as it can become a known one. */
  function finished(tokens) {
    const typing = document.activeElement === input ? begun().toLowerCase() : "";
    const waits = typing && !isKnown.has(typing) && words.some((other) => other.startsWith(typing));
    return waits ? tokens.toSpliced(tokens.lastIndexOf(typing), 1) : tokens;
  }

  /** What the models cannot read, with known words to take instead. */
  function tell(tokens, complaint = "") {
    const unknown = [...new Set(tokens)].filter((word) => !isKnown.has(word));
    const parts = unknown.flatMap((word) => {
      const instead = nearWords(word, words).map((other) =>
        button(other, () => swap(word, other), { "aria-label": `${other}, instead of ${word}` }),
      );
      const asked = instead.length
        ? ["Did you mean ", ...instead.flatMap((one, place) => (place ? [" or ", one] : [one])), "? "]
        : [];
      return [`“${word}” is not one of the ${words.length} words that the models learnt: they read <unk>. `, ...asked];
    });
    note.replaceChildren(...(complaint ? [complaint] : parts));
    note.hidden = !note.textContent;
  }

  function swap(word, other) {
    input.value = input.value.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[^\p{L}\p{N}]/gu, "\\$&")}(?![\\p{L}\\p{N}])`, "giu"),
      other,
    );
    input.focus();
    changed(input.value);
  }

  return {
    root: element(
      "div",
      { class: "lt-field" },
      element("label", { for: input.id }, "Your English sentence"),
      element("div", { class: "lt-box" }, input, list),
      note,
    ),
    input,
    finished,
    tell,
    set(text) {
      input.value = text;
      close();
    },
  };
}
