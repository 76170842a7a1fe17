// Choosing versions, `tests/bench/versions`: natively beside other solvers, and in wasm beside one for JavaScript.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { milliseconds } from "./measure.mjs";

const Logic = createRequire(import.meta.url)("logic-solver");

/** So much faster than the peer in JavaScript we mean to be, where it finds any answer and we the preferred one. */
const GOAL = { what: "300 packages of 10 versions", times: 5 };

export async function versions({ target }) {
  const program = join(target, "measured/planloom-bench-versions");
  const read = (...words) => JSON.parse(execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 }));
  const native = read();
  const ours = inWasm(join(target, "bench-versions.wasm"));
  const theirs = read("inputs").map(inJavaScript);
  check([...native, ...ours, ...theirs]);
  return [...rows(native, ours, theirs), ...explained(read("explained")), ...read("hard").map(hardest)];
}

function rows(native, ours, theirs) {
  return ours.flatMap((wasm, index) => {
    const [mine, ...peers] = native.filter((row) => row.what === wasm.what);
    return [...peers.map((peer) => row(mine, peer, "")), row(wasm, theirs[index], ", in wasm")];
  });
}

/** The verdict with its explanation in words. */
function explained(rows) {
  const mine = rows.filter(({ solver }) => solver === "planloom");
  return mine.map((ours) => row(ours, rows.find((peer) => peer.what === ours.what && peer !== ours), ""));
}

/** The 99th of a hundred random hard problems, and the worst, which has to stay within what is allowed. */
function hardest({ what, decided, complete, allowed, steps, millis }) {
  const told = (at) => `${milliseconds(millis[at])} ms, ${(steps[at] / 1e6).toFixed(1)} million steps`;
  return {
    what: `${what}: ${decided} decided, ${complete} explained in full`,
    ours: `99 % in ${told(0)}; worst ${told(1)}`,
    goal: `≤ ${allowed / 1e6} million steps`,
    // The last thing that is looked at may take a few steps more than were left.
    met: steps[1] <= allowed * 1.001,
    times: { millis, steps },
  };
}

function inWasm(file) {
  const module = new WebAssembly.Module(readFileSync(file));
  const imports = { host: { now: () => performance.now() } };
  // What reads documents brings imports that nothing calls here.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] ??= () => {};
  const { exports } = new WebAssembly.Instance(module, imports);
  const at = exports.run();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, exports.length())));
}

/** The time for any answer, the mean over the problems; of each the shortest of five. */
function inJavaScript({ what, problems }) {
  const best = problems.map((problem) => {
    const terms = (lists) => lists.map((list) => list.map((it) => (it < 0 ? `-v${-it}` : `v${it}`)));
    const [clauses, groups] = [terms(problem.clauses), terms(problem.groups)];
    let [least, selected] = [Infinity, 0];
    for (let turn = 0; turn < 5; turn += 1) {
      const start = performance.now();
      const solver = new Logic.Solver();
      for (const clause of clauses) solver.require(Logic.or(clause));
      for (const group of groups) solver.require(Logic.atMostOne(group));
      selected = solver.solve()?.getTrueVars().length ?? 0;
      least = Math.min(least, performance.now() - start);
    }
    return { least, selected };
  });
  const millis = best.reduce((sum, { least }) => sum + least, 0) / best.length;
  return { what, solver: "logic-solver, any answer", millis, selected: best.map(({ selected }) => selected) };
}

/** Who finds an answer, all find one; who finds the preferred one, finds the same. */
function check(rows) {
  const isPreferred = ({ solver }) => solver === "planloom" || solver.endsWith("the preferred answer");
  for (const { what, solver, selected } of rows) {
    const first = rows.find((row) => row.what === what).selected;
    const shown = (list) => list.map((count) => (isPreferred({ solver }) ? count : count > 0)).join();
    if (shown(selected) !== shown(first)) throw new Error(`${solver} selects ${selected} of ${what}, not ${first}`);
  }
}

function row(ours, peer, where) {
  const ratio = peer.millis / ours.millis;
  const isGoal = where !== "" && ours.what === GOAL.what;
  return {
    what: `${ours.what}${where}`,
    ours: `${milliseconds(ours.millis)} ms`,
    peer: `${milliseconds(peer.millis)} ms (${peer.solver})`,
    ratio: `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`,
    goal: isGoal ? `≥ ${GOAL.times}×` : undefined,
    met: isGoal ? ratio >= GOAL.times : undefined,
    times: { ours, peer },
  };
}
