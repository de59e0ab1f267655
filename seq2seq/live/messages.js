// All that the field says to its reader, each once; `names` are words, `count` is how many.

const NAMED = 5; // unknown words that are named; of more, the number

/** “a”, “b” and 3 more. */
function quoted(words) {
  const names = words.slice(0, NAMED).map((word) => `“${word}”`);
  if (words.length > NAMED) names.push(`${words.length - NAMED} more`);
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

const MESSAGES = {
  label: () => "Your English sentence",
  offers: () => "Words that the models know",
  examples: () => "Try",
  longer: () => "Make it longer",
  nothingLonger: () => "There is nothing left to add; go on by typing.",
  unpacking: () => "The models are being unpacked …",
  failed: (reason) => `This cannot be shown: ${reason}`,
  empty: () => "Type a few English words.",
  foreign: (count) =>
    `Please type everyday English: only ${count} English words are known here, and most of these are not among them.`,
  instead: () => "Try",
  unknown: (words, count) =>
    `Not among the ${count} words that are known here: ${quoted(words)}. Read as <unk>, an unknown word.`,
  meant: () => "Did you mean",
  or: () => "or",
  and: () => "and",
  swap: (word, other) => `${other}, instead of ${word}`,
  readAs: (words) => `Read as: ${words.join(" ")}`,
  cut: (count, most) => `Cut after ${most} of ${count} words and marks.`,
  oneSentence: () => "Only the first sentence is translated.",
  next: () => "Translate the next one",
  stale: (words) => `This is still the translation of: ${words.join(" ")}`,
  result: () => "Translation",
  words: (count) => `${count} words and marks.`,
  unusual: (count, [shortest, longest]) =>
    `${count} words and marks: longer than every sentence of the training, which had ${shortest} to ${longest}.`,
  reference: (words) => `Reference: ${words.join(" ")}`,
};
