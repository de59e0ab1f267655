// From a model to a translation: greedy search and beam search, as in `seq2seq/search.py` and `seq2seq/beam/search.py`.
// Both take a hand in their steps: `{ pinned, forbidden, forced }`, each by the number of a step, from 0 on:
// weights in place of the softmax's, ids that must not be said, and (greedy) the id that is said whatever is likely.

/** The most words that are said for a sentence, as where the models are evaluated. */
const longest = (source) => 2 * source.ids.length + 10;

/** Divisors of log-probabilities by length, EOS included (`seq2seq/beam/penalty.py`; Wu et al., 2016, equation 14). */
const penalties = {
  none: () => 1,
  mean: (length) => length,
  gnmt: (alpha) => (length) => ((5 + length) / 6) ** alpha,
};

/** One step with what the hand has changed: forbidden words get a logit of −∞. */
function steppedBy(model, previous, state, source, at, { pinned = {}, forbidden = {} }) {
  const step = model.step(previous, state, source, pinned[at] ?? null);
  if (!forbidden[at]?.length) return step;
  const logits = step.logits.slice();
  for (const id of forbidden[at]) logits[id] = -Infinity;
  return { ...step, logits };
}

/** Greedy search: all steps up to EOS, each with the ids `previous` (the word read) and `wordId` (the word said). */
function greedy(model, source, hand = {}, most = longest(source)) {
  const steps = [];
  let [previous, state] = [BOS, source.first];
  while (steps.length < most && (!steps.length || previous !== EOS)) {
    const step = steppedBy(model, previous, state, source, steps.length, hand);
    step.previous = previous;
    step.wordId = hand.forced?.[steps.length] ?? argmax(step.logits);
    steps.push(step);
    [previous, state] = [step.wordId, step.state];
  }
  return steps;
}

/** The steps of given words: forced decoding. */
function follow(model, source, ids, hand = {}) {
  return greedy(model, source, { ...hand, forced: Object.fromEntries(ids.entries()) }, ids.length);
}

/** log softmax of the logits. */
function logProbabilities(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const total = most + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0));
  return logits.map((logit) => logit - total);
}

/** The `count` largest entries as `[place, value]`, largest first, equal ones in their order. */
function largest(values, count) {
  const best = [];
  values.forEach((value, place) => {
    if (best.length === count && value <= best.at(-1)[1]) return;
    let at = best.length;
    while (at > 0 && best[at - 1][1] < value) at--;
    best.splice(at, 0, [place, value]);
    if (best.length > count) best.pop();
  });
  return best;
}

/** Beam search (Sutskever et al., 2014, section 3.2): the `count` best hypotheses, best first, as
 *  `{ ids, logProbability, score }`. One that ends leaves the beam, and its place is not refilled; the search ends when
 *  the beam is empty, or when nothing left in it can still be among the best. */
function beamSearch(
  model,
  source,
  { size = 5, count = 1, penalty = penalties.none, most = longest(source), hand = {} } = {},
) {
  if (!(count >= 1 && count <= size)) throw new Error(`count, size: got ${count}, ${size}, expected 1 ≤ count ≤ size.`);
  let alive = [{ ids: [], logProbability: 0, state: source.first }];
  let [places, closed] = [size, []];
  for (let length = 1; length <= most && alive.length; length++) {
    const continued = alive.flatMap(({ ids, logProbability, state }) => {
      const step = steppedBy(model, ids.at(-1) ?? BOS, state, source, length - 1, hand);
      return largest(logProbabilities(step.logits), size).map(([id, wordLogProbability]) => ({
        ids: [...ids, id],
        logProbability: logProbability + wordLogProbability,
        state: step.state,
      }));
    });
    const best = largest(
      continued.map(({ logProbability }) => logProbability),
      places,
    ).map(([place]) => continued[place]);
    const kept = best.filter(({ logProbability }) => logProbability > -Infinity); // forbidden words are no hypotheses
    const ends = (hypothesis) => hypothesis.ids.at(-1) === EOS || length === most;
    const ended = kept.filter(ends).map((hypothesis) => ({
      ...hypothesis,
      score: hypothesis.logProbability / penalty(length),
    }));
    closed = [...closed, ...ended].sort((a, b) => b.score - a.score).slice(0, count);
    places -= ended.length;
    alive = kept.filter((hypothesis) => !ends(hypothesis));
    // No score can come out above.
    const reachable = Math.max(...alive.map(({ logProbability }) => logProbability)) / penalty(most);
    if (closed.length === count && reachable <= closed.at(-1).score) break;
  }
  return closed.map(({ ids, logProbability, score }) => ({ ids, logProbability, score }));
}
