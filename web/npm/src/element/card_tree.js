// What is known of a resource: who set its values, and what will happen to it.
import { futureOf, placeOf, ruleOf, symbolOf, toneOf } from "./words.js";
import { h, prose } from "./tree.js";

const LISTED = 40;

/** The card of a resource. */
export function card(address, { graph, plan, origins }) {
  const node = graph.nodes.find((it) => it.address === address);
  const action = plan.actions.find((it) => it.address === address);
  const kind = action?.action ?? "no_op";
  return h(
    "div",
    { class: "card", part: "card", role: "region", tabindex: -1, "aria-label": `About ${address}` },
    h("p", { class: "title" }, h("strong", {}, address), h("span", { class: "muted" }, node?.kind ?? action?.kind ?? ""), closing()),
    h("p", { class: toneOf(kind) }, `${symbolOf(kind)} It ${futureOf(kind)}`, action?.reason ? [": ", prose(action.reason.sentence)] : null, "."),
    node && h("p", {}, "Declared in ", place(node.origin)),
    settings(address, origins),
  );
}

/** A place as a button that leads to it. */
export function place(origin) {
  return h("button", { class: "place", type: "button", "data-file": origin.file, "data-line": origin.line }, placeOf(origin));
}

function closing() {
  return h("button", { class: "tool", type: "button", "data-close": true, "aria-label": "Close" }, "×");
}

/** The values of a resource, each with the place that set it last and what that did. */
function settings(address, origins) {
  const start = `/${address.replace(/\[\d+\]$/, "").split(".").map((it) => it.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}/`;
  const set = Object.entries(origins).filter(([pointer]) => pointer.startsWith(start));
  const leaves = set.filter(([pointer], at) => !set[at + 1]?.[0].startsWith(`${pointer}/`));
  if (leaves.length === 0) return null;
  const rows = leaves.slice(0, LISTED).map(([pointer, origin]) => h("tr", {}, h("th", { scope: "row" }, pointer.slice(start.length)), h("td", {}, writer(origin))));
  const more = leaves.length > LISTED && h("p", { class: "muted" }, `and ${leaves.length - LISTED} more`);
  return [h("table", {}, h("caption", {}, "Set by"), h("tbody", {}, rows)), more];
}

function writer(origin) {
  const location = origin.file ? origin : origin.location ?? null;
  const rule = origin.rule ? ` ${ruleOf(origin.rule)}` : "";
  return [location && place(location), rule];
}
