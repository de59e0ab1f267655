// How the words are chosen: greedily, or by a beam with its size and its penalty for length.

function searchRow(changed) {
  const search = choice(
    "Search",
    [
      ["greedy", "greedy"],
      ["beam", "beam"],
    ],
    "greedy",
    choose,
  );
  const size = slider("Beam size", { min: 2, max: 10, value: 5 }, changed);
  const penalty = choice(
    "Length penalty",
    [
      ["none", "none"],
      ["mean", "mean per word"],
    ],
    "none",
    changed,
  );
  const isBeam = () => search.input.value === "beam";
  const fit = () => (size.root.hidden = penalty.root.hidden = !isBeam());
  fit();

  function choose() {
    fit();
    changed();
  }

  return {
    root: row(search.root, size.root, penalty.root),
    /** What the models' search is asked for; size 0 is greedy. */
    how: () => (isBeam() ? { size: size.value, penalty: penalties[penalty.input.value] } : { size: 0 }),
  };
}
