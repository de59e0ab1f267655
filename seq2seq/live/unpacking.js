// From a packed model, as `seq2seq/live/packing.py` writes it, to vocabularies and matrices of 32-bit floats.

const BASE = 91;
const BITS = 13;

/** Two characters for 13 bits, as `seq2seq/live/base91.py` wrote them; a byte of zeros may follow. */
function decodeBase91(text) {
  const place = (at) => {
    const code = text.charCodeAt(at);
    return code - (code > 92 ? 36 : 35); // from "#" to "~", without the backslash
  };
  const bytes = new Uint8Array(Math.floor(((text.length / 2) * BITS) / 8));
  let [held, bits, written] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 2) {
    held |= (place(at) * BASE + place(at + 1)) << bits;
    bits += BITS;
    for (; bits >= 8 && written < bytes.length; bits -= 8) {
      bytes[written++] = held & 255;
      held >>>= 8;
    }
  }
  return bytes;
}

async function inflate(bytes) {
  if (typeof DecompressionStream === "undefined")
    throw new Error("this browser cannot unpack the model; one from 2023 or later can.");
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The number that 16 bits mean as a float16: sign, 5 bits of exponent, 10 of fraction. */
function float16(code) {
  const exponent = (code >> 10) & 31;
  const fraction = code & 1023;
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : (fraction / 1024) * 2 ** -14;
  return code & 0x8000 ? -size : size;
}

/** `{ title, wiring, trainedLengths, source, target, parameters }`; a parameter is `{ values, rows, columns }`, row by row. */
async function unpackModel(packed) {
  const body = await inflate(decodeBase91(packed.data).subarray(0, packed.bytes));
  const words = new TextDecoder().decode(body.subarray(0, packed.word_bytes));
  const [source, target] = words.split("\n\n").map((side) => ["<pad>", "<bos>", "<eos>", "<unk>", ...side.split("\n")]);
  const total = packed.tensors.reduce((sum, [, shape]) => sum + shape.reduce((a, b) => a * b), 0);
  const high = body.subarray(packed.word_bytes, packed.word_bytes + total);
  const low = body.subarray(packed.word_bytes + total, packed.word_bytes + 2 * total);
  const scales = new DataView(body.buffer, packed.word_bytes + 2 * total);
  const parameters = {};
  let [at, scaleAt] = [0, 0];
  for (const [name, shape, bits] of packed.tensors) {
    const [rows, columns] = [shape[0], shape[1] ?? 1];
    const values = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      const scale = bits === 16 ? 0 : scales.getFloat32(4 * scaleAt++, true);
      for (let place = row * columns; place < (row + 1) * columns; place++, at++) {
        const code = (high[at] << 8) | low[at];
        values[place] = bits === 16 ? float16(code) : (code - 32768) * scale; // k · σ
      }
    }
    parameters[name] = { values, rows, columns };
  }
  return {
    title: packed.title,
    wiring: packed.wiring,
    trainedLengths: packed.trained_lengths,
    source,
    target,
    parameters,
  };
}
