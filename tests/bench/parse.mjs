// Located parse of one large file: text in; a tree in which every node knows where it stands, problems included.
import * as jsYaml from "js-yaml";
import { LineCounter, parseDocument } from "yaml";
import { Workspace } from "../../web/npm/dist/node.js";
import { descriptor } from "./generate.mjs";
import { measure, spread } from "./measure.mjs";

const SERVICES = 1027; // 414 KB
const FILE = "large.yaml";

export async function parse() {
  const text = descriptor(SERVICES);
  check(text);
  const workspace = new Workspace();
  const times = measure({
    planloom: () => workspace.setFile(FILE, text), // reads at once, keeps the located tree
    yaml: () => located(text),
    "js-yaml": () => jsYaml.load(text),
  });
  const kilobytes = `${Math.round(Buffer.byteLength(text) / 1000)} KB`;
  const row = (peer, goal, met, remark) => {
    const ratio = times[peer].median / times.planloom.median;
    const what = `located parse of ${kilobytes}, ms`;
    return { what, ours: spread(times.planloom), peer: `${remark} ${spread(times[peer])}`, ratio: `${ratio.toFixed(1)}×`, goal, met: met(ratio), times };
  };
  return [
    row("yaml", "≥ 12×", (ratio) => ratio >= 12, "yaml with positions"),
    row("js-yaml", "> 1×", (ratio) => ratio > 1, "js-yaml without"),
  ];
}

function located(text) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, keepSourceTokens: true });
  return { document, lineCounter };
}

/** All three must read the same data, and both that know positions the same ones. */
function check(text) {
  const { document, lineCounter } = located(text);
  const expected = JSON.stringify(document.toJS());
  const workspace = new Workspace();
  workspace.setFiles([{ name: FILE, text }]);
  const { document: ours, origins } = workspace.merged({ origins: true });
  if (JSON.stringify(jsYaml.load(text)) !== expected) throw new Error("js-yaml and yaml read different data");
  if (JSON.stringify(ours) !== expected) throw new Error("planloom and yaml read different data");
  let compared = 0;
  for (const [pointer, origin] of Object.entries(origins)) {
    const node = document.getIn(pointer.split("/").slice(1), true);
    if (!node?.range || origin.file !== FILE) continue;
    const { line, col } = lineCounter.linePos(node.range[0]);
    if (line !== origin.line || col !== origin.column) {
      throw new Error(`${pointer} is at ${line}:${col} for yaml, at ${origin.line}:${origin.column} for planloom`);
    }
    compared += 1;
  }
  console.log(`parse: the same data; ${compared} positions compared`);
  if (compared < 10_000) throw new Error("too few positions were compared");
}
