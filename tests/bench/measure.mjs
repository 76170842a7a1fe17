// Timing: contenders take turns, so that a busy moment of the machine hits all of them.

/** Runs each contender `reps` times in turn after `warm` unmeasured turns; milliseconds by name. */
export function measure(contenders, { reps = 30, warm = 5 } = {}) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let turn = -warm; turn < reps; turn += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      globalThis.gc?.();
      const start = performance.now();
      keep(run());
      const time = performance.now() - start;
      if (turn >= 0) times[name].push(time);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, summary(list)]));
}

/** Median, quartiles and the 95th percentile. */
export function summary(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), q1: at(0.25), q3: at(0.75), p95: at(0.95), least: sorted[0], most: sorted.at(-1), reps: sorted.length };
}

let kept;

/** Holds on to the last result, so that no work can be left out because nobody looks at it. */
function keep(result) {
  kept = result;
  return kept;
}

export function milliseconds(time) {
  return time < 10 ? time.toFixed(2) : time.toFixed(1);
}

/** `12.3 (11.9–13.0)` */
export function spread({ median, q1, q3 }) {
  return `${milliseconds(median)} (${milliseconds(q1)}–${milliseconds(q3)})`;
}
