/** Uniform numbers, at least 0 and below 1, the same for everyone: Mulberry32, by Tommy Ettinger, in the public domain. */
function uniforms(count, seed) {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  });
}

/** The exact gradient of the expected log-likelihood. */
function exactGradient(weights, logs) {
  const bound = dot(weights, logs);
  return weights.map((weight, j) => weight * (logs[j] - bound));
}

/** The estimate of one draw; a row of seq2seq.hard.attention.score_estimates. */
function estimateOf(weights, reward, place, baseline) {
  return weights.map((weight, j) => (reward - baseline) * ((j === place ? 1 : 0) - weight));
}

/** The mean squared distance of one draw's estimate from the exact gradient; as seq2seq.hard.variance.one_draw_variance. */
function oneDrawVariance(weights, logs, baseline) {
  const exact = exactGradient(weights, logs);
  return weights.reduce((sum, weight, i) => {
    const row = estimateOf(weights, logs[i], i, baseline);
    return sum + weight * row.reduce((square, part, j) => square + (part - exact[j]) ** 2, 0);
  }, 0);
}

/** Scores moved step by step: by the exact gradient, or by the mean estimate of a row of uniform numbers a step.
 *  `kind` is "exact", "none", "mean" (the mean reward, known) or "moving" (as seq2seq.hard.attention.move_baseline). */
function learn(scores, logs, luck, rate, kind) {
  let [now, baseline] = [scores, 0];
  const bounds = [dot(softmax(now), logs)];
  for (const row of luck) {
    const weights = softmax(now);
    let slope = exactGradient(weights, logs);
    if (kind !== "exact") {
      const places = row.map((u) => choiceAt(weights, u));
      const b = { none: 0, mean: dot(weights, logs), moving: baseline }[kind];
      slope = weights.map(() => 0);
      for (const place of places) estimateOf(weights, logs[place], place, b).forEach((part, j) => (slope[j] += part / row.length));
      baseline = 0.9 * baseline + (0.1 * sum(places.map((place) => logs[place]))) / row.length;
    }
    now = now.map((score, j) => score + rate * slope[j]);
    bounds.push(dot(softmax(now), logs));
  }
  return { scores: now, bounds };
}

export default widget((root, model) => {
  const { scores, logs, runs, steps: mostSteps, draws: mostDraws, rates, perStep } = model.get("data");
  const weights = softmax(scores);
  const exact = exactGradient(weights, logs);
  const length = Math.sqrt(dot(exact, exact));
  const places = uniforms(mostDraws, 1).map((u) => choiceAt(weights, u));
  let [count, steps] = [0, 0];

  const baseline = choice("Baseline of the right half", [["mean", "the mean reward, as if known"], ["moving", "moving average of the draws before"]], "mean", show);
  const [draw, drawMany] = [button("Draw", () => take(1)), button("Draw 100", () => take(100))];
  const forget = button("No draws", () => take(-count));
  const rate = slider("Step size", { min: 0, max: rates.length - 1, value: rates.indexOf(0.3), say: (at) => String(rates[at]) }, show);
  const many = slider("Draws per step", { min: 0, max: perStep.length - 1, value: 0, say: (at) => String(perStep[at]) }, show);
  const [once, often] = [button("Learn a step", () => walk(1)), button("Learn 50 steps", () => walk(50))];
  const back = button("Begin again", () => walk(-steps));
  const [bar, error, path] = [picture(440, 200, ""), picture(440, 170, ""), picture(440, 200, "")];
  const [line, learnt] = [spokenLine(), spokenLine()];
  const text = asText();
  const head = (words) => element("p", { class: "es-head" }, words);
  root.append(
    row(baseline.root),
    head("Estimate: the scores stay"),
    row(draw, drawMany, forget),
    bar,
    error,
    line.root,
    head("Learn: the scores move"),
    row(rate.root, many.root),
    row(once, often, back),
    path,
    learnt.root,
    text.root,
  );

  const kinds = () => ["none", baseline.input.value];
  const names = { none: "without a baseline", mean: "with the mean reward", moving: "with a moving average" };
  const look = (half) => (half ? "es-with" : "es-none");
  let luck = [];

  function take(more) {
    count = Math.min(mostDraws, Math.max(0, count + more));
    show();
  }

  function walk(more) {
    steps = Math.min(mostSteps, Math.max(0, steps + more));
    show();
  }

  /** The mean estimate after each draw so far. */
  function means(kind) {
    const [sum, estimates] = [weights.map(() => 0), []];
    let moving = 0;
    places.slice(0, count).forEach((place, at) => {
      const b = { none: 0, mean: dot(weights, logs), moving }[kind];
      moving = 0.9 * moving + 0.1 * logs[place];
      estimateOf(weights, logs[place], place, b).forEach((part, j) => (sum[j] += part));
      estimates.push(sum.map((part) => part / (at + 1)));
    });
    return estimates;
  }

  /** How the estimate of one draw varies; a moving average in the long run comes near the mean reward. */
  const variance = (kind) => oneDrawVariance(weights, logs, kind === "none" ? 0 : dot(weights, logs));
  const off = (mean) => Math.sqrt(mean.reduce((sum, part, j) => sum + (part - exact[j]) ** 2, 0));

  function show() {
    [draw.disabled, drawMany.disabled, forget.disabled] = [count === mostDraws, count === mostDraws, count === 0];
    [once.disabled, often.disabled, back.disabled] = [steps === mostSteps, steps === mostSteps, steps === 0];
    const wide = widthIn(root);
    const estimates = kinds().map(means);
    drawBars(wide, estimates);
    drawErrors(wide, estimates);
    const paths = learned();
    drawPaths(wide, paths);
    tell(estimates, paths);
  }

  /** A frame of a plot: its title, the ticks of its vertical axis, and places of values in it. */
  function frame(left, wide, top, high, title, ticks, place) {
    return [
      svg("text", { class: "es-label", x: left, y: top - 8 }, title),
      ...ticks.flatMap(([value, name]) => [
        svg("line", { class: value === 0 ? "es-axis" : "es-rule", x1: left, x2: left + wide, y1: place(value), y2: place(value) }),
        svg("text", { class: "es-end", x: left - 5, y: place(value) + 4 }, name),
      ]),
      svg("line", { class: "es-axis", x1: left, x2: left, y1: top, y2: top + high }),
    ];
  }

  const mark = (half, x, y) => (half ? svg("circle", { class: "es-mark es-with", cx: x, cy: y, r: 4.5 }) : svg("rect", { class: "es-mark es-none", x: x - 4, y: y - 4, width: 8, height: 8 }));

  function drawBars(wide, estimates) {
    const [top, high, left, gap] = [26, 140, 34, 14];
    const half = (wide - left - gap) / 2;
    const y = (value) => top + high / 2 - (Math.max(-1, Math.min(1, value)) * high) / 2;
    const parts = kinds().flatMap((kind, at) => {
      const from = left + at * (half + gap);
      const step = half / exact.length;
      const spread = (j) => Math.sqrt(weights.reduce((sum, weight, i) => sum + weight * (estimateOf(weights, logs[i], i, kind === "none" ? 0 : dot(weights, logs))[j] - exact[j]) ** 2, 0) / count);
      const ticks = [[-1, "−1"], [0, "0"], [1, "1"]].map(([value, name]) => [value, at ? "" : name]);
      const estimate = estimates[at].at(-1);
      return [
        ...frame(from, half, top, high, names[kind], ticks, y),
        ...exact.flatMap((value, j) => {
          const x = from + (j + 0.5) * step;
          const drawnParts = [
            svg("rect", { class: "es-exact", x: x - step * 0.36, y: Math.min(y(value), y(0)), width: step * 0.72, height: Math.abs(y(value) - y(0)) }),
            svg("text", { class: "es-middle", x, y: top + high + 16 }, String(j + 1)),
          ];
          if (!estimate) return drawnParts;
          drawnParts.push(svg("line", { class: `es-whisker ${look(at)}`, x1: x, x2: x, y1: y(estimate[j] - spread(j)), y2: y(estimate[j] + spread(j)) }));
          const beyond = Math.abs(estimate[j]) > 1;
          const tip = y(estimate[j]);
          const down = estimate[j] < 0 ? -1 : 1;
          drawnParts.push(beyond ? svg("path", { class: `es-mark ${look(at)}`, d: `M${x - 5} ${tip + 8 * down}h10l-5 ${-9 * down}z` }) : mark(at, x, tip));
          return drawnParts;
        }),
      ];
    });
    bar.setAttribute("viewBox", `0 0 ${wide} ${top + high + 22}`);
    bar.replaceChildren(...parts);
  }

  function drawErrors(wide, estimates) {
    const [top, high, left, right] = [26, 108, 34, 8];
    const x = (n) => left + ((wide - left - right) * Math.log10(n)) / Math.log10(mostDraws);
    const [most, least] = [Math.log10(20), Math.log10(0.005)];
    const y = (distance) => top + (high * (most - Math.min(most, Math.max(least, Math.log10(distance))))) / (most - least);
    const parts = frame(left, wide - left - right, top, high, "distance from the exact gradient", [[10, "10"], [1, "1"], [0.1, "0.1"], [0.01, "0.01"]], y);
    [1, 10, 100].forEach((n) => parts.push(svg("text", { class: "es-middle", x: x(n), y: top + high + 16 }, String(n))));
    parts.push(svg("text", { class: "es-end", x: wide - right, y: top + high + 16 }, `${mostDraws} draws`));
    kinds().forEach((kind, at) => {
      const expected = Math.sqrt(variance(kind));
      parts.push(svg("line", { class: `es-expected ${look(at)}`, x1: x(1), x2: x(mostDraws), y1: y(expected), y2: y(expected / Math.sqrt(mostDraws)) }));
      if (!estimates[at].length) return;
      const points = estimates[at].map((mean, n) => [x(n + 1), y(off(mean))].map((number) => number.toFixed(1)));
      parts.push(svg("polyline", { class: `es-track ${look(at)}`, points: points.join(" ") }), mark(at, ...points.at(-1).map(Number)));
    });
    error.setAttribute("viewBox", `0 0 ${wide} ${top + high + 22}`);
    error.replaceChildren(...parts);
  }

  /** All runs of both kinds, and that of the exact gradient, with the step size and the draws that are chosen. */
  function learned() {
    const each = perStep[many.value];
    if (luck.length !== runs || luck[0][0].length !== each)
      luck = Array.from({ length: runs }, (_, run) => {
        const all = uniforms(mostSteps * each, 100 + run);
        return Array.from({ length: mostSteps }, (_, step) => all.slice(step * each, (step + 1) * each));
      });
    const bounds = (kind) => luck.map((numbers) => learn(scores, logs, numbers.slice(0, steps), rates[rate.value], kind).bounds);
    return { halves: kinds().map(bounds), exact: learn(scores, logs, luck[0].slice(0, steps), rates[rate.value], "exact").bounds };
  }

  const average = (values) => sum(values) / values.length;
  const deviation = (values) => Math.sqrt(average(values.map((value) => (value - average(values)) ** 2)));

  function drawPaths(wide, { halves, exact: sure }) {
    const [top, high, left, gap] = [26, 150, 34, 14];
    const half = (wide - left - gap) / 2;
    const [low, best] = [Math.max(Math.floor(sure[0] - 2), Math.floor(Math.min(...logs))), Math.ceil(Math.max(...logs))];
    const y = (bound) => top + (high * (best - Math.max(low, bound))) / (best - low); // the worst runs lie on the lower edge
    const ticks = Array.from({ length: best - low + 1 }, (_, at) => low + at);
    const parts = halves.flatMap((bounds, at) => {
      const from = left + at * (half + gap);
      const x = (step) => from + (half * step) / mostSteps;
      const track = (values) => values.map((value, step) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      const mean = bounds[0].map((_, step) => average(bounds.map((runBounds) => runBounds[step])));
      return [
        ...frame(from, half, top, high, names[kinds()[at]], ticks.map((value) => [value, at ? "" : fixed(value, 0)]), y),
        ...bounds.map((runBounds) => svg("polyline", { class: `es-run ${look(at)}`, points: track(runBounds) })),
        svg("polyline", { class: `es-mean ${look(at)}`, points: track(mean) }),
        svg("polyline", { class: "es-true", points: track(sure) }),
        mark(at, x(steps), y(mean.at(-1))),
        svg("text", { class: "es-label", x: from, y: top + high + 16 }, "0"),
        svg("text", { class: "es-end", x: from + half, y: top + high + 16 }, `${mostSteps} steps`),
      ];
    });
    path.setAttribute("viewBox", `0 0 ${wide} ${top + high + 22}`);
    path.replaceChildren(...parts);
  }

  function tell(estimates, { halves, exact: sure }) {
    const titles = kinds().map((kind) => names[kind]);
    const expected = kinds().map((kind) => Math.sqrt(variance(kind) / Math.max(1, count)));
    const distances = estimates.map((means) => (means.length ? off(means.at(-1)) : null));
    const drawnSaid = count
      ? `After ${several(count, "draw")} the estimate ${titles[0]} is ${fixed(distances[0])} from the exact gradient (expected ${fixed(expected[0])}), ${titles[1]} ${fixed(distances[1])} (${fixed(expected[1])}); the gradient itself has the length ${fixed(length)}.`
      : `Nothing is drawn yet. One draw will be about ${fixed(expected[0])} off ${titles[0]} and ${fixed(expected[1])} ${titles[1]}; the gradient itself has the length ${fixed(length)}.`;
    line.say(drawnSaid);
    bar.setAttribute("aria-label", `The exact gradient of ${exact.length} scores, ${exact.map((value) => fixed(value)).join(", ")}, and its estimates ${titles.join(" and ")}. ${drawnSaid}`);
    error.setAttribute("aria-label", `How far the estimates are from the exact gradient, draw by draw. ${drawnSaid}`);
    const ends = halves.map((bounds) => bounds.map((runBounds) => runBounds.at(-1)));
    const learntSaid = steps
      ? `After ${several(steps, "step")} the expected log-likelihood of ${runs} runs is ${ends.map((values, at) => `${fixed(average(values))} ${titles[at]} (spread ${fixed(deviation(values))})`).join(" and ")}; by the exact gradient it is ${fixed(sure.at(-1))}.`
      : `Nothing is learnt yet: the expected log-likelihood is ${fixed(sure[0])}, and ${fixed(Math.max(...logs))} where only the best position is drawn.`;
    learnt.say(learntSaid);
    path.setAttribute("aria-label", `The expected log-likelihood of ${runs} runs, step by step. ${learntSaid}`);
    text.fill(
      `The gradient of each score after ${several(count, "draw")}; variance of one draw: ${kinds().map((kind, at) => `${fixed(variance(kind))} ${titles[at]}`).join(", ")}`,
      ["position", "weight", "log-likelihood", "exact", ...titles.map((title) => `estimate ${title}`)],
      exact.map((value, j) => [String(j + 1), fixed(weights[j], 3), fixed(logs[j]), fixed(value, 3), ...estimates.map((means) => (means.length ? fixed(means.at(-1)[j], 3) : "–"))]),
    );
  }

  new ResizeObserver(show).observe(root);
  show();
});
