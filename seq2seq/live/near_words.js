// Known words for a mistyped one.

const NEAR = 3; // words that are offered at most

/** How many letters must be put in, taken out, changed or exchanged with the next to make one word of the other. */
function editDistance(a, b) {
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j++) table[0][j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const change = table[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchange = isExchanged ? table[i - 2][j - 2] + 1 : Infinity;
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, change, exchange);
    }
  return table[a.length][b.length];
}

/** Known words that are nearest to the unknown one, if any is near; frequent ones come first in `known`.
 *  A short word has many neighbours, most of which mean something else: only the same letters are taken for it. */
function nearWords(word, known) {
  if (word.length < 3) return [];
  const isShort = word.length < 5;
  const most = Math.max(1, Math.floor((word.length + 1) / 4));
  const letters = (of) => [...of].sort().join("");
  const isCandidate = (other) =>
    isShort ? letters(other) === letters(word) : other[0] === word[0] && Math.abs(other.length - word.length) <= most;
  const near = known.filter(isCandidate).map((other) => [editDistance(word, other), other]);
  const least = Math.min(most, ...near.map(([distance]) => distance));
  return near
    .filter(([distance]) => distance === least)
    .slice(0, NEAR)
    .map(([, other]) => other);
}
