// What is said of an entry, in sentences of MESSAGES and buttons. `take(text)` puts another sentence into the field.

/** Why it cannot be translated, and what can. */
function refusal(entry, field, take, examples) {
  const why = entry.words.length
    ? [MESSAGES.foreign(field.words.length), ...suggestions(entry, field)]
    : [MESSAGES.empty()];
  const example = examples.slice(0, 1).flatMap((source) => [MESSAGES.instead(), instead(source, source, field, take)]);
  return [...why, ...example];
}

/** What was read otherwise than it was typed, what was left out, and what is unknown. */
function remarks(entry, field, take) {
  const { words, unknown, rest, count } = entry;
  const parts = [];
  if (count > words.length) parts.push(MESSAGES.cut(count, words.length));
  else if (isChanged(field.input.value, words)) parts.push(MESSAGES.readAs(words));
  if (rest) parts.push(MESSAGES.oneSentence(), instead(MESSAGES.next(), rest, field, take));
  if (unknown.length) parts.push(MESSAGES.unknown(unknown, field.words.length), ...suggestions(entry, field));
  return parts;
}

/** The button goes when it is pressed, so the field takes its focus. */
function instead(label, text, field, take) {
  return button(label, () => (field.input.focus(), take(text)));
}

function suggestions({ unknown }, field) {
  const swap = (word, other) =>
    button(other, () => field.swap(word, other), { "aria-label": MESSAGES.swap(word, other) });
  const near = unknown.map((word) => nearWords(word, field.words).map((other) => swap(word, other)));
  const ways = near.filter((others) => others.length).map((others) => between(others, MESSAGES.or()));
  return ways.length ? [MESSAGES.meant(), ...between(ways, MESSAGES.and()).flat(), "?"] : [];
}

const between = (parts, mark) => parts.flatMap((part, at) => (at ? [mark, part] : [part]));
