// From a keystroke to all problems of a large workspace, in Chromium, with the engine in a worker as in the app.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resultOf, serving, withBrowser } from "../npm/harness.mjs";
import { files } from "./generate.mjs";
import { milliseconds, summary } from "./measure.mjs";

const SERVICES = 1000;
const FILES = 5;
const GOAL = 16;
const LONG_TASK = 50;
const TIMEOUT = 300_000;

export async function keystroke({ root }) {
  const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"));
  const open = (browser) => serving(folder, (address) => resultOf(browser, address, TIMEOUT));
  try {
    cpSync(join(root, "tests/bench/page"), folder, { recursive: true });
    cpSync(join(root, "web/npm/dist"), join(folder, "planloom"), { recursive: true });
    writeFileSync(join(folder, "files.json"), JSON.stringify(files(SERVICES, FILES)));
    return rows(JSON.parse(await withBrowser(open)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rows({ times, longTasks, problems }) {
  // Every second keystroke makes a mistake, every second mends it.
  if (problems.some((count, index) => (index % 2 === 0 ? count === 0 : count !== 0))) {
    throw new Error(`the numbers of problems are not those of the text: ${problems.slice(0, 8)} …`);
  }
  const { median, p95 } = summary(times);
  const what = `keystroke to all problems, ${SERVICES} services in ${FILES} files`;
  const longest = Math.max(0, ...longTasks);
  return [
    { what: `${what}, p95 ms`, ours: `${milliseconds(p95)} (median ${milliseconds(median)})`, goal: `≤ ${GOAL}`, met: p95 <= GOAL, times },
    {
      what: "… longest task of the main thread, ms",
      ours: longest === 0 ? "none over 50" : milliseconds(longest),
      goal: `≤ ${LONG_TASK}`,
      met: longest <= LONG_TASK,
      longTasks,
    },
  ];
}
