// What `focus` and the fragment of a page's address name: a resource, a step of the plan, or a line.

/** A target as `{ line, file }`, `{ step }` or `{ address }`; null for an empty text. */
export function targetOf(text) {
  if (!text) return null;
  const line = /^(?:(.*):)?L?(\d+)$/.exec(text);
  if (line) return { file: line[1] || null, line: Number(line[2]) };
  return /^a\d+$/.test(text) ? { step: text } : { address: text };
}

/** The address of what a target names, as far as a model knows it. */
export function addressOf(target, { graph, plan }) {
  if (target.address) return target.address;
  if (target.step) return plan?.actions.find((it) => it.id === target.step)?.address ?? null;
  const declared = graph.nodes.filter(({ origin }) => isBefore(origin, target));
  return declared.sort((a, b) => a.origin.line - b.origin.line).at(-1)?.address ?? null;
}

function isBefore(origin, { file, line }) {
  return (file === null || origin.file === file) && origin.line <= line;
}

/** The place of what a target names. */
export function placeIn(target, model) {
  if (target.line) return { file: target.file, line: target.line };
  const address = addressOf(target, model);
  const row = model.plan?.actions.find((it) => it.address === address);
  const node = model.graph.nodes.find((it) => it.address === address);
  return node?.origin ?? row?.origin ?? null;
}
