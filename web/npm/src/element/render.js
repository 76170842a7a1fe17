// The entry of `planloom/render`: elements as HTML, for programs that build pages.
import { Workspace } from "./node.js";
import { drawing, gone, graphLabel, table } from "./graph_tree.js";
import { listing } from "./listing_tree.js";
import { planTree } from "./plan_tree.js";
import { problemsOf, sentenceOf } from "./words.js";
import { STYLES } from "./sheets.js";
import { escaped, h, toHtml } from "./tree.js";

const ATTRIBUTE = /^[a-z][a-z0-9-]*$/;
const CONTENTS = { "planloom-editor": editor, "planloom-graph": graph, "planloom-plan": plan };

export function renderElement({ element, files, state = null, mode = "apply", attributes = {}, stylesheet, nonce }) {
  const contents = Object.hasOwn(CONTENTS, element) && CONTENTS[element];
  if (!contents) throw new TypeError(`there is no element ${element}; there are ${Object.keys(CONTENTS).join(", ")}`);
  if (!Array.isArray(files) || files.length === 0) throw new TypeError("`files` has to be a list of at least one file");
  const workspace = new Workspace();
  try {
    workspace.setFiles(files);
    const id = attributes.id === undefined ? "" : String(attributes.id);
    const drawn = contents({ workspace, files, id, options: { destroy: mode === "destroy", list_unchanged: true, ...(state !== null && { state }) } });
    const frame = h("div", { class: `frame ${element.replace("planloom-", "")} drawn`, part: "frame" }, drawn);
    return `<${element}${written({ ...attributes, mode })}><template shadowrootmode="open">${styles(stylesheet, nonce)}${toHtml(frame)}</template>${sources(files, state)}</${element}>`;
  } finally {
    workspace.free();
  }
}

function written(attributes) {
  const all = Object.entries(attributes).filter(([name, value]) => value !== false && !(name === "mode" && value === "apply"));
  const refused = all.find(([name]) => !ATTRIBUTE.test(name) || name.startsWith("on") || name === "style");
  if (refused) throw new TypeError(`the attribute ${refused[0]} is refused`);
  return all.map(([name, value]) => ` ${name}="${value === true ? "" : escaped(String(value))}"`).join("");
}

function styles(stylesheet, nonce) {
  if (stylesheet) return `<link rel="stylesheet" href="${escaped(stylesheet)}">`;
  return `<style${nonce ? ` nonce="${escaped(nonce)}"` : ""}>:host{display:block}${STYLES}</style>`;
}

/** What the element reads once it is live, and readers see where nothing is drawn. */
function sources(files, state) {
  const pre = files.map(({ name, text }) => toHtml(h("pre", { "data-file": name }, h("code", {}, text))));
  if (state === null) return pre.join("");
  const json = (typeof state === "string" ? state : JSON.stringify(state)).replaceAll("<", "\\u003c");
  return `${pre.join("")}<script type="application/json" data-state>${json}</script>`;
}

function graph({ workspace, options }) {
  const [layout, planned] = [workspace.layout(), workspace.plan(options)];
  const given = { layout, plan: planned, label: graphLabel(layout) };
  const [width, height] = layout.size;
  const svg = drawing(given);
  Object.assign(svg.attributes, { width: Math.ceil(width) + 24, height: Math.ceil(height) + 24 });
  return h("div", { class: "graph-body", part: "graph" }, h("div", { class: "stage", part: "stage" }, svg, gone(given), h("div", { class: "as-table" }, table(given))));
}

function plan({ workspace, options, id }) {
  return h("div", { class: "plan-frame" }, h("div", { class: "rows" }, planTree({ plan: workspace.plan(options), id })));
}

function editor({ workspace, files, id, options }) {
  const { diagnostics } = workspace.diagnostics();
  const each = files.map(({ name, text }) => [h("p", { class: "file-name" }, name), listing({ name, text, diagnostics, id })]);
  const strip = h("div", { class: "strip", part: "strip" }, problemsOf(diagnostics), h("span", { class: "sentence" }, sentenceOf(workspace.plan(options))));
  return h("div", { class: "editor-body", part: "editor" }, h("div", { class: "panel", part: "panel" }, each), strip);
}
