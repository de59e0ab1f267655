// What a reader has read and answered, kept in this browser: pages by name, questions by label, exercises by name.
{
  const KEY = "learning-to-align";
  // Each entry has a key of its own, "learning-to-align/questions/…": two pages at once cannot lose what the other wrote.
  const load = () => {
    const all = { pages: {}, questions: {}, exercises: {} };
    try {
      for (const key of Object.keys(localStorage)) {
        const [course, part, name] = key.split("/");
        if (course === KEY && all[part]) all[part][name] = localStorage.getItem(key);
      }
    } catch {} // no storage
    return all;
  };
  const keep = (part, name, value) => {
    if (load()[part][name] !== undefined && part !== "exercises") return; // the first answer counts
    try {
      localStorage.setItem(`${KEY}/${part}/${name}`, value);
    } catch {} // a browser that keeps nothing lets the page be read all the same
  };
  const forget = () => {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(`${KEY}/`)) localStorage.removeItem(key);
    } catch {} // nothing was kept
  };
  const day = () => new Date().toISOString().slice(0, 10);

  // A chapter is read when its end has been in view.
  const noteReading = () => {
    const end = document.querySelector(".prev-next-footer, .prev-next-area");
    const name = location.pathname.split("/").pop().replace(/\.html$/, "");
    if (!end || !/^(\d\d|[A-Z])_/.test(name)) return;
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      keep("pages", name, day());
      observer.disconnect();
    }).observe(end);
  };

  const noteAnswers = () => {
    for (const box of document.querySelectorAll(".course-predict")) {
      const label = box.id;
      for (const option of box.querySelectorAll(".predict-option")) {
        option.querySelector("summary").addEventListener("click", () => {
          if (!option.open) keep("questions", label, option.dataset.verdict);
        });
      }
    }
  };

  // `learn-progress.json`: a notebook's name → the tasks of its last check.
  const noteExercises = (text) => {
    const entries = Object.entries(JSON.parse(text)).filter(([, entry]) => Array.isArray(entry?.tasks));
    if (!entries.length) throw new Error();
    for (const [file, { tasks }] of entries) {
      const done = tasks.filter((task) => task.state === "done").length;
      keep("exercises", file.replace(/\.ipynb$/, ""), `${done} of ${tasks.length} tasks`);
    }
  };

  const fill = () => {
    const { pages, questions, exercises } = load();
    for (const cell of document.querySelectorAll("[data-read]")) cell.textContent = pages[cell.dataset.read] ?? "not yet";
    for (const cell of document.querySelectorAll("[data-exercise]")) cell.textContent = exercises[cell.dataset.exercise] ?? "not yet";
    for (const cell of document.querySelectorAll("[data-questions]")) {
      const labels = cell.dataset.questions.split(" "), answered = labels.filter((label) => questions[label]);
      const right = answered.filter((label) => questions[label] === "right").length;
      cell.textContent = answered.length ? `${answered.length} of ${labels.length} answered, ${right} right at once` : `0 of ${labels.length}`;
    }
  };

  const offer = (room) => {
    const notice = Object.assign(document.createElement("p"), { role: "status" });
    const button = (text, act) => {
      const control = Object.assign(document.createElement("button"), { textContent: text, type: "button", className: "progress-button" });
      control.addEventListener("click", act);
      return control;
    };
    const label = Object.assign(document.createElement("label"), { textContent: "learn-progress.json " });
    const file = Object.assign(document.createElement("input"), { type: "file", accept: ".json,application/json" });
    file.addEventListener("change", async () => {
      try {
        noteExercises(await file.files[0].text());
        notice.textContent = "Read: the table shows your exercises.";
      } catch {
        notice.textContent = `${file.files[0].name} is not what “learn check” keeps: choose the file learn-progress.json beside your notebooks.`;
      }
      fill();
    });
    label.append(file);
    room.append(label, button("Print", () => print()), button("Forget all", () => {
      forget();
      notice.textContent = "Forgotten.";
      fill();
    }), notice);
  };

  document.addEventListener("DOMContentLoaded", () => {
    noteReading();
    noteAnswers();
    if (document.querySelector("[data-course-progress]")) {
      fill();
      addEventListener("storage", fill); // what another tab, or the page before, has only now written
    }
    document.querySelectorAll("[data-progress-actions]").forEach(offer);
  });
}
