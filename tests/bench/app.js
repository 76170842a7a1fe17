// Runs in the app's page: notes when each key goes down and when the problems chip has the answer to it.
(() => {
  const chip = document.querySelector(".chip-problems");
  const longTasks = [];
  const times = [];
  let pressed;
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  addEventListener("keydown", () => (pressed = performance.now()), { capture: true });
  new MutationObserver(() => {
    if (pressed === undefined) return;
    times.push(performance.now() - pressed);
    pressed = undefined;
  }).observe(chip, { attributes: true, attributeFilter: ["title"] });
  globalThis.measured = { longTasks, times };
})();
