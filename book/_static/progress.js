// What a reader has read and answered, kept in this browser: pages by name, questions by label, exercises by name.
{
  // Not in localStorage: on a busy machine Chromium may give a page an empty one that no other page shares, and what is kept
  // there is lost.
  const NAME = "learning-to-align";
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const channel = new BroadcastChannel(NAME); // tells the pages that are open beside this one
  const database = (async () => {
    const opening = indexedDB.open(NAME);
    opening.onupgradeneeded = () => opening.result.createObjectStore(NAME); // "questions/…" → value
    return settled(opening);
  })();
  database.catch(() => {}); // no storage: each use of it handles that
  const records = async (mode) => (await database).transaction(NAME, mode).objectStore(NAME);
  const load = async () => {
    const all = { pages: {}, questions: {}, exercises: {}, isKept: false };
    try {
      const store = await records("readonly");
      const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
      keys.forEach((key, index) => {
        const [part, name] = key.split("/");
        all[part][name] = values[index];
      });
      all.isKept = true;
    } catch {} // no storage
    return all;
  };
  const change = async (act) => {
    try {
      const store = await records("readwrite"), request = act(store);
      store.transaction.commit(); // at once: the page may be left
      await settled(request);
      channel.postMessage("changed");
    } catch {} // `add` refuses a second answer: the first counts; and a browser that keeps nothing lets the page be read all the same
  };
  const keep = (part, name, value) => change((store) => store[part === "exercises" ? "put" : "add"](value, `${part}/${name}`));
  const forget = () => change((store) => store.clear());
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
  const noteExercises = async (text) => {
    const entries = Object.entries(JSON.parse(text)).filter(([, entry]) => Array.isArray(entry?.tasks));
    if (!entries.length) throw new Error();
    for (const [file, { tasks }] of entries) {
      const done = tasks.filter((task) => task.state === "done").length;
      await keep("exercises", file.replace(/\.ipynb$/, ""), `${done} of ${tasks.length} tasks`);
    }
  };

  const fill = async () => {
    const { pages, questions, exercises, isKept } = await load();
    for (const line of document.querySelectorAll("[data-progress-unkept]")) line.hidden = isKept;
    for (const cell of document.querySelectorAll("[data-read]")) cell.textContent = pages[cell.dataset.read] ?? "not yet";
    for (const cell of document.querySelectorAll("[data-exercise]")) cell.textContent = exercises[cell.dataset.exercise] ?? "not yet";
    for (const cell of document.querySelectorAll("[data-questions]")) {
      const labels = cell.dataset.questions.split(" "), answered = labels.filter((label) => questions[label]);
      const right = answered.filter((label) => questions[label] === "right").length;
      cell.textContent = answered.length ? `${answered.length} of ${labels.length} answered, ${right} right at once` : `0 of ${labels.length}`;
    }
    return isKept;
  };

  const offer = (room) => {
    const notice = Object.assign(document.createElement("p"), { role: "status" });
    const button = (text, act) => {
      const control = Object.assign(document.createElement("button"), { textContent: text, type: "button", className: "progress-button" });
      control.addEventListener("click", act);
      return control;
    };
    const file = Object.assign(document.createElement("input"), { type: "file", accept: ".json,application/json", hidden: true });
    file.addEventListener("change", async () => {
      try {
        await noteExercises(await file.files[0].text());
        notice.textContent = await fill() ? "Read: the table shows your exercises." : document.querySelector("[data-progress-unkept]").textContent;
      } catch {
        notice.textContent = `${file.files[0].name} is not what “learn check” keeps: choose the file learn-progress.json beside your notebooks.`;
      }
      file.value = ""; // so that the same file can be chosen again
    });
    room.append(file, button("Choose learn-progress.json", () => file.click()), button("Print", () => print()), button("Forget all", async () => {
      await forget();
      await fill();
      notice.textContent = "Forgotten.";
    }), notice);
  };

  document.addEventListener("DOMContentLoaded", () => {
    noteReading();
    noteAnswers();
    if (document.querySelector("[data-course-progress]")) {
      fill();
      channel.addEventListener("message", fill);
    }
    document.querySelectorAll("[data-progress-actions]").forEach(offer);
  });
}
