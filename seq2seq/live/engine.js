// An encoder–decoder in plain JavaScript: one sentence, one step at a time, equal to the library's models.
// Names and equations are those of `seq2seq/encoders.py`, `seq2seq/scorers.py` and `seq2seq/decoders/`.

const [PAD, BOS, EOS, UNK] = [0, 1, 2, 3];

/** English text as the corpora have it: lower case, punctuation apart, a full stop if no mark ends it. */
function tokenise(text) {
  const matches = text
    .replaceAll("’", "'")
    .toLowerCase()
    .matchAll(/'s(?![\p{L}\p{N}_])|[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*|[^\p{L}\p{N}_\s]/gu);
  const words = [...matches].map(([word]) => word);
  return words.length && ![".", "!", "?"].includes(words.at(-1)) ? [...words, "."] : words;
}

/** W x + b; two rows at a time, whose sums do not wait for each other. */
function linear({ values, rows, columns }, x, bias = null) {
  const result = bias ? bias.values.slice() : new Float32Array(rows);
  for (let row = 0; row < rows; row += 2) {
    const [upper, lower] = [row * columns, Math.min(row + 1, rows - 1) * columns];
    let [a, b] = [0, 0];
    for (let column = 0; column < columns; column++) {
      a += values[upper + column] * x[column];
      b += values[lower + column] * x[column];
    }
    result[row] += a;
    if (row + 1 < rows) result[row + 1] += b;
  }
  return result;
}

function joined(...vectors) {
  const result = new Float32Array(vectors.reduce((size, vector) => size + vector.length, 0));
  vectors.reduce((place, vector) => (result.set(vector, place), place + vector.length), 0);
  return result;
}

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** c = Σ_j α_j v_j (Bahdanau et al., 2015, equation 5). */
function weightedSum(weights, values) {
  const context = new Float64Array(values[0].length);
  values.forEach((value, j) => value.forEach((number, place) => (context[place] += weights[j] * number)));
  return Float32Array.from(context);
}

/** One step of a GRU (Cho et al., 2014, equations 5 to 8) with PyTorch's reset gate, which acts after the matrix:
 *  r = σ(W_r x + U_r s), z = σ(W_z x + U_z s), n = tanh(W_n x + r ∘ U_n s), s' = (1 − z) ∘ n + z ∘ s. */
function gruStep(cell, x, { hidden }) {
  const [fromInput, fromState] = [
    linear(cell.inputWeight, x, cell.inputBias),
    linear(cell.stateWeight, hidden, cell.stateBias),
  ];
  const size = hidden.length;
  const next = hidden.map((old, place) => {
    const reset = sigmoid(fromInput[place] + fromState[place]);
    const update = sigmoid(fromInput[size + place] + fromState[size + place]);
    const fresh = Math.tanh(fromInput[2 * size + place] + reset * fromState[2 * size + place]);
    return (1 - update) * fresh + update * old;
  });
  return { hidden: next };
}

/** One step of an LSTM (Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et al., 2000):
 *  m' = f ∘ m + i ∘ tanh(W_g x + U_g h), h' = o ∘ tanh(m'), with gates i, f and o; rows in the order i, f, g, o. */
function lstmStep(cell, x, { hidden, memory }) {
  const [fromInput, fromState] = [
    linear(cell.inputWeight, x, cell.inputBias),
    linear(cell.stateWeight, hidden, cell.stateBias),
  ];
  const size = hidden.length;
  const gate = (rank, place) => fromInput[rank * size + place] + fromState[rank * size + place];
  const kept = memory.map(
    (old, place) => sigmoid(gate(1, place)) * old + sigmoid(gate(0, place)) * Math.tanh(gate(2, place)),
  );
  return { hidden: kept.map((number, place) => sigmoid(gate(3, place)) * Math.tanh(number)), memory: kept };
}

/** A recurrent layer or cell by the name of its parameters: three gates are a GRU's, four an LSTM's. */
function recurrentCell(parameters, name) {
  const parameter = (part) => parameters[`${name}.${part}_l0`] ?? parameters[`${name}.${part}`];
  const cell = {
    inputWeight: parameter("weight_ih"),
    stateWeight: parameter("weight_hh"),
    inputBias: parameter("bias_ih"),
    stateBias: parameter("bias_hh"),
  };
  const size = cell.stateWeight.columns;
  const gates = cell.stateWeight.rows / size;
  const step = { 3: gruStep, 4: lstmStep }[gates];
  if (!step) throw new Error(`${name}: got ${gates} gates, expected 3 (a GRU) or 4 (an LSTM).`);
  const zeros = () => new Float32Array(size);
  return {
    step: (x, state) => step(cell, x, state),
    empty: () => (gates === 4 ? { hidden: zeros(), memory: zeros() } : { hidden: zeros() }),
  };
}

/** A trained model: `read` a sentence once, then `step` once for each word. */
class Translator {
  constructor({ title, wiring, trainedLengths, source, target, parameters }) {
    Object.assign(this, { title, wiring, trainedLengths, target, parameters });
    this.sourceWords = source;
    this.sourceIds = new Map(source.map((word, id) => [word, id]));
    this.forwards = recurrentCell(parameters, "encoder.forward_rnn");
    this.backwards = recurrentCell(parameters, "encoder.backward_rnn");
    this.cell = recurrentCell(parameters, wiring === "bahdanau" ? "decoder.cell" : "decoder.rnn");
    this.hasAttention = wiring !== "every_step";
    this.predict = { every_step: this.stepFixed, bahdanau: this.stepBahdanau, luong: this.stepLuong }[wiring];
    if (!this.predict) throw new Error(`wiring: got ${wiring}, expected every_step, bahdanau or luong.`);
  }

  encodeWords(words) {
    return words.map((word) => this.sourceIds.get(word) ?? UNK);
  }

  /** The row of an embedding, E x. */
  embed(side, id) {
    const { values, columns } = this.parameters[`${side}.embedding.weight`];
    return values.subarray(id * columns, (id + 1) * columns);
  }

  layer(name, x) {
    return linear(this.parameters[`decoder.${name}.weight`], x, this.parameters[`decoder.${name}.bias`]);
  }

  /** Both readings of the sentence, h_j = [→h_j; ←h_j] (Bahdanau et al., 2015, equation 7), the decoder's first state,
   *  and the keys, which are projected once. `final` is [→h_n; ←h_1]. */
  read(ids) {
    if (!ids.length) throw new Error("ids: got none, expected a sentence of at least one word.");
    const run = (cell, order) => {
      let state = cell.empty();
      return order.map((id) => (state = cell.step(this.embed("encoder", id), state)).hidden);
    };
    const forward = run(this.forwards, ids);
    const backward = run(this.backwards, ids.toReversed()).toReversed();
    const states = forward.map((half, j) => joined(half, backward[j]));
    const final = joined(forward.at(-1), backward[0]);
    const summary = this.wiring === "bahdanau" ? backward[0] : final; // what the bridge gets
    const first = { hidden: this.layer("bridge.hidden_layer", summary).map(Math.tanh) }; // s_0 = tanh(W_s h)
    if (this.parameters["decoder.bridge.memory_layer.weight"])
      first.memory = this.layer("bridge.memory_layer", summary).map(Math.tanh);
    const projection = this.parameters["decoder.attention.scorer.key_layer.weight"];
    const keys = projection ? states.map((state) => linear(projection, state)) : states; // U h_j, or W h_j
    return { ids, states, keys, final, first };
  }

  /** e_j = v·tanh(W q + U h_j) (Bahdanau et al., 2015, appendix A.1.2), or q·W h_j (Luong et al., 2015, equation 7). */
  score(query, keys) {
    const energy = this.parameters["decoder.attention.scorer.energy_layer.weight"];
    if (!energy) return Float32Array.from(keys, (key) => dot(query, key));
    const asked = this.layer("attention.scorer.query_layer", query);
    return Float32Array.from(keys, (key) =>
      dot(
        energy.values,
        key.map((number, place) => Math.tanh(asked[place] + number)),
      ),
    );
  }

  /** Scores, weights and context; weights that are given (`pinned`) take the place of the softmax. */
  attend(query, source, pinned) {
    const scores = this.score(query, source.keys);
    const weights = pinned ?? softmax(scores);
    return { scores, weights, context: weightedSum(weights, source.states) };
  }

  /** t_j = max of a pair of [U_o, V_o, C_o] [s_i; E y; c_i] (Bahdanau et al., 2015, appendix A.2.2). */
  readOut(hidden, word, context) {
    const pairs = this.layer("readout.layer", joined(hidden, word, context));
    return this.layer(
      "output_layer",
      Float32Array.from({ length: pairs.length / 2 }, (_, j) => Math.max(pairs[2 * j], pairs[2 * j + 1])),
    );
  }

  /** s_i = GRU([E y_{i−1}; c], s_{i−1}): the same vector c at every step (Cho et al., 2014, section 2.2). */
  stepFixed(word, state, source) {
    const context = source.final;
    const next = this.cell.step(joined(word, context), state);
    return { scores: null, weights: null, context, state: next, logits: this.readOut(next.hidden, word, context) };
  }

  /** Attention before the step: the query is s_{i−1}, then s_i = GRU([E y_{i−1}; c_i], s_{i−1}) (Bahdanau et al., 2015). */
  stepBahdanau(word, state, source, pinned) {
    const looked = this.attend(state.hidden, source, pinned);
    const next = this.cell.step(joined(word, looked.context), state);
    return { ...looked, state: next, logits: this.readOut(next.hidden, word, looked.context) };
  }

  /** Attention after the step: the query is h_t, then tanh(W_c [c_t; h_t]) (Luong et al., 2015, section 3.1). */
  stepLuong(word, state, source, pinned) {
    const next = this.cell.step(word, state);
    const looked = this.attend(next.hidden, source, pinned);
    const attentional = linear(
      this.parameters["decoder.attentional_layer.weight"],
      joined(looked.context, next.hidden),
    ).map(Math.tanh);
    return { ...looked, state: next, logits: this.layer("output_layer", attentional) };
  }

  /** One word on: `{ scores, weights, context, state, logits }` after the word `previous`. */
  step(previous, state, source, pinned = null) {
    return this.predict(this.embed("decoder", previous), state, source, pinned);
  }
}
