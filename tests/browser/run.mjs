// Journeys through the built app in headless Chromium: `CHROME` names the browser, `PLANLOOM_SITE` the app's folder.
// Prints a line a journey; the last one is `N passed, N failed`. Arguments narrow it to journeys named so.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { groups } from "./journeys.mjs";

/** So many groups run at once: a journey waits more than it works. */
const AT_ONCE = 2;
const VERDICT = /^(\d+) passed, (\d+) failed$/;
const counts = { passed: 0, failed: 0 };
const waiting = Object.keys(groups);

await Promise.all(Array.from({ length: AT_ONCE }, lane));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;

async function lane() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await group(name);
}

/** Runs a group in a process of its own, and prints its lines as they come, but for its verdict. */
function group(name) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("group.mjs", import.meta.url)), ...process.argv.slice(2)], {
    env: { ...process.env, GROUP: name },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  let done = false;
  const take = (more) => {
    const lines = (text + more).split("\n");
    text = lines.pop();
    for (const line of lines) done = counted(line) || done;
  };
  child.stdout.setEncoding("utf8").on("data", take);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      take("\n");
      if (!done) {
        counts.failed += 1;
        console.log(`FAIL ${name}: it ended with ${code} before it was done`);
      }
      resolve();
    }),
  );
}

/** Whether a line is the verdict of a group; any other is printed. */
function counted(line) {
  const verdict = VERDICT.exec(line);
  if (verdict) {
    counts.passed += Number(verdict[1]);
    counts.failed += Number(verdict[2]);
  } else if (line !== "") console.log(line);
  return verdict !== null;
}
