// What a line of YAML consists of, for colours only: a line is read by itself, so text in blocks may look like keys.

const RULES = [
  ["comment", /^#.*/],
  ["reference", /^\$\{[^}]*\}/],
  ["tag", /^![\w!:.-]*/],
  ["anchor", /^[&*][\w.-]+/],
  ["key", /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'[\]{},&*!|>%@:][^#"'[\]{},:\n]*?)(?=\s*:(?:\s|$))/],
  ["string", /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/],
  ["number", /^(?:[-+]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)|true|false|null|~)(?=\s*(?:[,\]}]|\s#|$))/i],
  ["mark", /^(?:---|\.\.\.|[-?:](?=\s|$)|[[\]{},|>])/],
];

/** Longer lines are not coloured. */
const LONGEST = 2000;

/** The parts of a line with their kinds; a part without a kind is plain. */
export function tokensOf(line) {
  if (line.length > LONGEST) return [[null, line]];
  const parts = [];
  let plain = "";
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at);
    const isStart = at === 0 || /[\s[{,]/.test(line[at - 1]) || rest.startsWith("${");
    const found = RULES.find(([kind, rule]) => (isStart || kind === "mark") && (kind !== "comment" || at === 0 || /\s/.test(line[at - 1])) && rule.test(rest));
    if (!found) {
      plain += line[at];
      at += 1;
      continue;
    }
    const [kind, rule] = found;
    const [text] = rule.exec(rest);
    if (plain) parts.push([null, plain]);
    plain = "";
    parts.push([kind, text]);
    at += text.length;
  }
  return plain ? [...parts, [null, plain]] : parts;
}
