"use strict";
(() => {
  const all = (q) => document.querySelectorAll(q);
  // An arm's button hides the arm in all of its study.
  for (const b of all("[data-toggle]")) {
    b.addEventListener("click", () => {
      const off = b.getAttribute("aria-pressed") === "true";
      const study = b.closest("article");
      for (const o of study.querySelectorAll(`[data-toggle="${b.dataset.toggle}"]`)) o.setAttribute("aria-pressed", String(!off));
      for (const o of study.querySelectorAll(`[data-arm="${b.dataset.toggle}"]`)) o.toggleAttribute("data-off", off);
    });
  }
  // Paper shows what is folded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...all("details:not([open])")];
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => {
    for (const d of folded) d.open = false;
  });
  for (const b of all("[data-copy]")) {
    if (!navigator.clipboard) continue;
    b.hidden = false;
    b.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(b.dataset.copy).textContent);
      b.textContent = "Copied";
      setTimeout(() => { b.textContent = "Copy"; }, 1500);
    });
  }
})();
