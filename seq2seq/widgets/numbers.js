// What widgets and live models compute alike, and how people read it.

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** α_j = exp(e_j) / Σ_l exp(e_l), with the largest score taken off first; a score of −∞ gets 0, also where all are −∞. */
function softmax(scores) {
  const most = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const raised = scores.map((score) => Math.exp(score - most));
  const total = sum(raised);
  return raised.map((part) => (total > 0 ? part / total : 0));
}

function dot(a, b) {
  let total = 0;
  for (let place = 0; place < a.length; place++) total += a[place] * b[place];
  return total;
}

/** The place of the largest, the first of equal ones. */
function argmax(values) {
  return values.reduce((best, value, at) => (value > values[best] ? at : best), 0);
}

/** Where a uniform number falls, the weights laid end to end; as seq2seq.hard.attention.choice_at has it. */
function choiceAt(weights, u) {
  let end = 0;
  const ends = weights.map((weight) => (end += weight));
  return ends.findIndex((place) => place > u * end);
}

/** Numbers as people read them: a true minus sign, and always so many digits. */
function fixed(number, digits = 2) {
  const text = number.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** A probability; what is lost in the digits is not called nothing. */
function share(chance, digits = 2) {
  return chance < 10 ** -digits ? `< ${10 ** -digits}` : fixed(chance, digits);
}

/** A place or a vector in the plane. */
function point([x, y]) {
  return `(${fixed(x)}, ${fixed(y)})`;
}

function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}
