// What a reader has typed, as the models read it: one sentence, contractions taken apart, unknown marks taken out.

const MOST_WORDS = 60; // larger tables are illegible
const LONGEST_WORD = 24; // letters; none that a model knows has as many
const MOST_LETTERS = 5000;
// A Map, as an object has “constructor” too, which a reader may type.
const NUMBERS = new Map([["2", "two"], ["3", "three"], ["4", "four"], ["5", "five"], ["10", "ten"]]);
const MARKS = [
  [/[‘’ʼ`´]/g, "'"],
  [/["“”„«»‹›()[\]{}<>*_~|]|\p{Extended_Pictographic}|[\u200b-\u200d\ufe0f\u00ad]/gu, " "],
  [/\b(mr|mrs|ms|dr|st)\./gi, "$1"],
  [/(?:\.{2,}|…)\s*(?=\p{Ll})/gu, " "],
  [/(\d)[.,](?=\d)/g, "$1"],
  [/\s+[-–—]+\s+|[–—]|:(?=\s)/g, " , "],
  [/&/g, " and "],
];
const CONTRACTIONS = [
  [/\bcan(?: no|n'|'|)t\b/g, "cannot"],
  [/\bwon'?t\b/g, "will not"],
  [/\b(do|does|did|is|are|was|were|must|could|would|should|has|have|had)n'?t\b/g, "$1 not"],
  [/\bi'?m\b/g, "i am"],
  [/'re\b/g, " are"],
  [/'ve\b/g, " have"],
  [/'ll\b/g, " will"],
  [/'d\b/g, " would"],
  [/\b(he|she|it|that|there|here|who|what|where|how)'s\b/g, "$1 is"],
  [/'s (?=(?:not|an?|the|very|going)\b)/g, " is "],
  [/\bgonna\b/g, "going to"],
  [/\bwanna\b/g, "want to"],
  [/(?<!(?:^|\s)'.*)s' (?=\p{L})/gu, "s 's "],
  [/'(?!s(?![\p{L}\p{N}]))/gu, ""], // what is left: quotes, and words of which no part is known
];
// The first sentence that has a letter, and what follows its mark.
const SENTENCE = /^(.*?[\p{L}\p{N}].*?)(?:[.!?…]+[\s'.!?…]*(?=\s|$|\p{Lu})|$)(.*)$/u;

const isWord = (token) => /[\p{L}\p{N}]/u.test(token);
const replaced = (text, pairs) => pairs.reduce((line, [from, to]) => line.replace(from, to), text);

/** `{ words, unknown, rest, count }`: the tokens, those that `isKnown` refuses, once each, what the second sentence and
 *  all after it are, and how many tokens there were before the sentence was cut. */
function readEntry(text, isKnown) {
  const line = replaced(text.slice(0, MOST_LETTERS).normalize("NFC").replace(/\s+/g, " "), MARKS);
  const [, first, rest] = SENTENCE.exec(line) ?? ["", "", "", ""];
  const tokens = tokenise(replaced(first.toLowerCase(), CONTRACTIONS))
    .slice(0, -1) // the full stop, which is put behind every sentence
    .map((token) => NUMBERS.get(token) ?? token)
    .flatMap((token) => (isKnown(token) || !token.split("-").every(isKnown) ? [token] : token.split("-")))
    .filter((token) => isWord(token) || isKnown(token))
    .map((token) => (token.length > LONGEST_WORD ? `${token.slice(0, LONGEST_WORD - 1)}…` : token));
  // A mark between words stays; one before the first word, behind the last or beside another says nothing.
  const inner = tokens.filter((token, at, all) => isWord(token) || (at && isWord(all[at + 1] ?? "")));
  const words = inner.slice(0, MOST_WORDS - 1);
  return {
    words: words.length ? [...words, "."] : [],
    unknown: [...new Set(words)].filter((word) => !isKnown(word)),
    rest: isWord(rest) ? rest.trim() : "",
    count: inner.length + 1,
  };
}

/** Whether the models read other words than those that stand there; spaces and the last mark are no words. */
function isChanged(text, words) {
  const bare = (line) => line.replace(/\s*\.?\s*$/, "").replace(/\s*([,;']|\s)\s*/g, "$1");
  return bare(text.trim()) !== bare(words.join(" "));
}

/** Whether the models know too little of it: most words are unknown, or more of them are in French than in English. */
function isForeign({ words, unknown }, isFrench) {
  const typed = new Set(words.filter(isWord));
  const known = typed.size - unknown.length;
  return unknown.length > known || [...typed].filter(isFrench).length > known;
}
