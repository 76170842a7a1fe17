// Types into one of five large files; each keystroke goes to the worker, which answers with all problems.
const TURNS = 200;
const WARM = 20;
const TYPED = "dependz_on: [] #"; // what a keystroke turns the middle of the file into, and back

const files = await (await fetch("files.json")).json();
const worker = new Worker("worker.js", { type: "module" });
const longTasks = [];
new PerformanceObserver((list) => {
  longTasks.push(...list.getEntries().map((entry) => entry.duration));
}).observe({ type: "longtask" });

const answer = () => new Promise((resolve) => worker.addEventListener("message", (event) => resolve(event.data), { once: true }));
worker.postMessage({ files });
await answer();

const edited = files[2];
const lines = edited.text.split("\n");
const line = lines.findIndex((text, index) => index > lines.length / 2 && text.trim().startsWith("network:"));
const right = lines.join("\n");
const wrong = lines.with(line, `    ${TYPED}`).join("\n");
longTasks.length = 0; // what opening took is another matter

const times = [];
const problems = [];
for (let turn = -WARM; turn < TURNS; turn += 1) {
  const text = Math.abs(turn) % 2 === 0 ? wrong : right;
  await new Promise((resolve) => setTimeout(resolve, 20)); // people pause between keys
  const start = performance.now();
  worker.postMessage({ name: edited.name, text });
  const { diagnostics } = await answer();
  const time = performance.now() - start;
  if (turn >= 0) {
    times.push(time);
    problems.push(diagnostics.length);
  }
}
await new Promise((resolve) => setTimeout(resolve, 100)); // long tasks are reported late
globalThis.result = JSON.stringify({ times, longTasks, problems });
