/** How well what was typed fits a label: lower is better. `ranges` are the label's parts that fit, as from, to, from, to. */
export interface Match {
  score: number;
  ranges: number[];
}

const boundary = /[._\-/:\s[\]]/;

/**
 * Fits, best first: the label's start, the start of a part (`web` in `services.web.ip`), any stretch, and the letters one
 * after the other beginning at the start of a part. Case does not matter. Null when it does not fit.
 */
export function match(typed: string, label: string): Match | null {
  if (typed === "") return { score: 0, ranges: [] };
  const want = typed.toLowerCase();
  const have = label.toLowerCase();
  // Lowering may change a text's length; then its ranges would be off.
  if (have.length !== label.length) return have.includes(want) ? { score: 0, ranges: [] } : null;
  if (have.startsWith(want)) return { score: have.length === want.length ? 0 : 1, ranges: [0, want.length] };
  for (let at = have.indexOf(want); at >= 0; at = have.indexOf(want, at + 1)) {
    if (startsPart(label, at)) return { score: 2, ranges: [at, at + want.length] };
  }
  const at = want.length > 1 ? have.indexOf(want) : -1;
  return at >= 0 ? { score: 3, ranges: [at, at + want.length] } : scattered(want, have);
}

function scattered(want: string, have: string): Match | null {
  if (want.length < 2) return null;
  const ranges: number[] = [];
  let at = -1;
  for (let n = 0; n < want.length; n++) {
    do at = have.indexOf(want[n] ?? "", at + 1);
    while (n === 0 && at > 0 && !startsPart(have, at));
    if (at < 0) return null;
    ranges.push(at, at + 1);
  }
  return { score: 4, ranges };
}

function startsPart(label: string, at: number): boolean {
  return at === 0 || boundary.test(label[at - 1] ?? "");
}
