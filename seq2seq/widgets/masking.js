/** The weights of three ways to mask, in single precision, as `torch.softmax` computes them. */
function maskedSoftmax(scores, mask, temperature, way) {
  const single = Math.fround;
  const scaled = scores.map((score) => single(score / temperature));
  const counts = way === "before" ? mask : mask.map(() => true);
  const top = Math.max(...scaled.filter((_, j) => counts[j]));
  const raised = scaled.map((score, j) => (counts[j] ? single(Math.exp(single(score - top))) : 0));
  const total = raised.reduce((sum, part) => single(sum + part), 0);
  const shared = raised.map((part) => (total > 0 ? single(part / total) : 0)); // a row without a real token gets 0
  const kept = shared.map((weight, j) => (mask[j] ? weight : 0));
  const rest = kept.reduce((sum, weight) => single(sum + weight), 0);
  return { shared, weights: way === "divided" ? kept.map((weight) => single(weight / rest)) : kept };
}

export default widget((root, model) => {
  const [tokens, scores, mask] = [model.get("tokens"), model.get("scores"), [...model.get("source_mask")]];
  const line = spokenLine();
  const text = asText();
  // A twentieth of a power of ten from one stop to the next: from 0.02 to 20.
  const heat = slider("Temperature τ", { min: -34, max: 26, value: 0, say: (at) => fixed(tau(at), tau(at) < 1 ? 2 : 1) }, draw);
  const way = choice("The mask comes", [["before", "before the softmax"], ["after", "after the softmax"], ["divided", "after it, divided by the sum"]], "before", draw);
  const boxes = tokens.map((token, j) => tick(`${j + 1} ${token}`, mask[j], (real) => { mask[j] = real; draw(); }));
  const shape = picture(440, 200, "");
  root.append(
    row(heat.root, way.root),
    element("fieldset", { class: "ms-boxes" }, element("legend", {}, "Mask: a tick is a real token"), ...boxes.map((box) => box.root)),
    shape, line.root, text.root,
  );

  function tau(at) {
    return 10 ** (at / 20);
  }

  function draw() {
    const temperature = tau(heat.value);
    const { shared, weights } = maskedSoftmax(scores, mask, temperature, way.input.value);
    const total = sum(weights);
    const lost = shared.reduce((sum, weight, j) => sum + (mask[j] ? 0 : weight), 0);
    const number = (weight) => (Number.isNaN(weight) ? "NaN" : fixed(weight));
    const entries = tokens.map((name, j) => ({
      name,
      value: weights[j] || 0,
      number: number(weights[j]),
      hollow: mask[j] ? 0 : shared[j],
    }));
    shape.replaceChildren(
      svg("text", { x: 8, y: 16 }, "weights"),
      svg("text", { class: "ms-sum", x: 432, y: 16 }, `their sum: ${number(total)}`),
      ...bars(entries, { x: 8, y: 172, width: 424, height: 128, most: 1 }),
    );
    const told = sentence(total, lost);
    shape.setAttribute("aria-label", `${tokens.map((name, j) => `${j + 1} ${name} ${mask[j] ? number(weights[j]) : `masked ${number(weights[j])}`}`).join(", ")}; sum ${number(total)}`);
    line.say(told);
    text.fill(
      `Mask ${way.input.selectedOptions[0].textContent}, temperature ${fixed(temperature)}; sum of the weights ${number(total)}`,
      ["token", "score", "mask", "softmax gave", "weight"],
      tokens.map((name, j) => [`${j + 1} ${name}`, fixed(scores[j]), mask[j] ? "real" : "masked", fixed(shared[j], 3), Number.isNaN(weights[j]) ? "NaN" : fixed(weights[j], 3)]),
    );
  }

  function sentence(total, lost) {
    const real = mask.filter(Boolean).length;
    const before = way.input.value === "before";
    if (real === 0) {
      if (before) return "No token is real: every weight is 0. Masked with −∞ instead, every weight would be NaN.";
      return Number.isNaN(total) ? "No token is real: 0 / 0, and every weight is NaN." : "No token is real: every weight is 0, and what the softmax gave is gone.";
    }
    if (Number.isNaN(total)) return "0 / 0 is NaN: beside the masked tokens, every real weight was too small for single precision.";
    const isSingle = real === 1;
    if (before) return isSingle ? "The one real token gets the whole weight of 1." : `The ${real} real tokens share the whole weight of 1.`;
    if (way.input.value === "divided") return "Divided by its sum the row is right again, as long as nothing is too small for single precision.";
    return lost < 0.005 ? "The masked tokens had taken next to nothing." : `The masked tokens had taken ${fixed(lost)} (dashed), and it is gone: the row sums to ${fixed(total)}.`;
  }

  draw();
});
