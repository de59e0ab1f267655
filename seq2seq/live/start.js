// Adds the script and the style of live translations, when the first of them comes near the viewport.
(() => {
  const here = document.currentScript.src;
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      const style = document.createElement("link");
      Object.assign(style, { rel: "stylesheet", href: here.replace(/start\.js/, "live.css") });
      const script = document.createElement("script");
      Object.assign(script, { src: here.replace(/start\.js/, "live.js") });
      document.head.append(style, script);
    },
    { rootMargin: "800px" },
  );
  for (const translation of document.querySelectorAll("live-translation")) near.observe(translation);
})();
