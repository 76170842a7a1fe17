/** How well the typed text matches a label: lower is better. `ranges` are the matching parts of the label, as from, to, from, to. */
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
  const query = typed.toLowerCase();
  const text = label.toLowerCase();
  // Lowering may change a text's length; then its ranges would be off.
  if (text.length !== label.length) return text.includes(query) ? { score: 0, ranges: [] } : null;
  if (text.startsWith(query)) return { score: text.length === query.length ? 0 : 1, ranges: [0, query.length] };
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + 1)) {
    if (startsPart(label, at)) return { score: 2, ranges: [at, at + query.length] };
  }
  const at = query.length > 1 ? text.indexOf(query) : -1;
  return at >= 0 ? { score: 3, ranges: [at, at + query.length] } : scattered(query, text);
}

function scattered(query: string, text: string): Match | null {
  if (query.length < 2) return null;
  const ranges: number[] = [];
  let at = -1;
  for (let n = 0; n < query.length; n++) {
    do at = text.indexOf(query[n] ?? "", at + 1);
    while (n === 0 && at > 0 && !startsPart(text, at));
    if (at < 0) return null;
    ranges.push(at, at + 1);
  }
  return { score: 4, ranges };
}

function startsPart(label: string, at: number): boolean {
  return at === 0 || boundary.test(label[at - 1] ?? "");
}
