// The graph as plain data: boxes and lines where the engine's layout puts them, and a table that says the same.
import { count, edgeOf, futureOf, placeOf, symbolOf, toneOf } from "./words.js";
import { h } from "./tree.js";

const MARGIN = 12;
const ARROW = 5;
const ICONS = {
  service: "M2.5 4.5h11v7h-11zM5 14h6",
  network: "M8 2.5v4M4 13v-3.5h8V13M8 6.5v3M6.5 2.5h3M2.5 13h3M10.5 13h3",
  payload: "M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6",
  other: "M3 3h10v10H3z",
};

/** The action on each resource, by address. */
export function actionsOf(plan) {
  return new Map((plan?.actions ?? []).map((it) => [it.address, it]));
}

/** The drawing. */
export function drawing({ layout, plan, label }) {
  const actions = actionsOf(plan);
  const { nodes, edges } = layout.graph;
  return h(
    "svg",
    { class: "drawing", part: "drawing", viewBox: viewOf(layout.size).join(" "), role: "group", "aria-label": label },
    h("g", { class: "edges", "aria-hidden": "true" }, edges.map((edge, at) => edgeOfGraph(edge, layout.routes[at], at))),
    h("g", { class: "nodes" }, nodes.map((node, at) => nodeOf(node, layout.boxes[at], actions.get(node.address), at === 0))),
  );
}

/** What the plan destroys or forgets, and no file declares. */
export function gone({ layout, plan }) {
  const declared = new Set(layout.graph.nodes.map(({ address }) => address));
  const rows = plan.actions.filter((it) => !declared.has(it.address));
  if (rows.length === 0) return null;
  const each = rows.map((it, at) => [at > 0 && ", ", h("span", { class: `gone ${toneOf(it.action)}` }, `${symbolOf(it.action)} ${it.address}`)]);
  return h("p", { class: "not-declared" }, "In no file any more: ", each);
}

/** What has to be visible for all of the graph to be. */
export function viewOf([width, height]) {
  return [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
}

export function graphLabel({ graph }) {
  return `Dependency graph: ${count(graph.nodes.length, "resource")}, ${count(graph.edges.length, "dependency").replace("dependencys", "dependencies")}`;
}

function nodeOf(node, [x, y, width, height], action, isFirst) {
  const kind = action?.action ?? "no_op";
  const name = node.address.split(".").slice(1).join(".") || node.address;
  const shown = fitted(name, width - 52);
  // What is seen comes first, for those who speak to their computer.
  const label = `${shown} ${node.kind} ${symbolOf(kind)}, ${node.address}, ${futureOf(kind)}`;
  return h(
    "g",
    { class: `node ${toneOf(kind)}`, part: `node node-${kind.replace("_", "-")}`, role: "button", tabindex: isFirst ? 0 : -1, "aria-label": label, "data-address": node.address },
    h("rect", { class: "box", x, y, width, height, rx: 6 }),
    h("g", { class: "icon", transform: `translate(${x + 8} ${y + height / 2 - 8})` }, h("path", { d: ICONS[node.kind] ?? ICONS.other })),
    h("text", { class: "name", x: x + 30, y: y + height / 2 - 2 }, shown),
    " ",
    h("text", { class: "kind", x: x + 30, y: y + height / 2 + 12 }, node.kind),
    " ",
    h("text", { class: "symbol", x: x + width - 10, y: y + 16, "text-anchor": "end" }, symbolOf(kind)),
  );
}

/** A name cut to a width in pixels. */
function fitted(name, width) {
  const room = Math.max(4, Math.floor(width / 7));
  const characters = [...name];
  return characters.length <= room ? name : `${characters.slice(0, room - 1).join("")}…`;
}

function edgeOfGraph(edge, route, at) {
  if (!edge.direct || !route || route.length < 2) return null;
  const points = route.map((point) => point.join(",")).join(" ");
  const label = `${edge.from} ${edgeOf(edge.kind)} ${edge.to}`;
  return h(
    "g",
    { class: `edge ${edge.kind.replace("_", "-")}`, "data-edge": at, "data-from": edge.from, "data-to": edge.to },
    h("title", {}, label),
    h("polyline", { class: "reach", points }),
    h("polyline", { class: "line", points }),
    h("polygon", { class: "head", points: arrow(route) }),
  );
}

/** The head of an arrow at the end of a line. */
function arrow(route) {
  const [x, y] = route.at(-1);
  const [fromX, fromY] = route.at(-2);
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [((x - fromX) / length) * ARROW, ((y - fromY) / length) * ARROW];
  return [[x, y], [x - 1.6 * dx - dy, y - 1.6 * dy + dx], [x - 1.6 * dx + dy, y - 1.6 * dy - dx]].map((it) => it.map((n) => n.toFixed(1)).join(",")).join(" ");
}

/** The same as a table, for readers of text. */
export function table({ layout, plan, label }) {
  const actions = actionsOf(plan);
  const { nodes, edges } = layout.graph;
  const heads = ["Resource", "Kind", "Wave", "Action", "Depends on", "Required by", "Declared in"];
  const row = (node) => {
    const kind = actions.get(node.address)?.action ?? "no_op";
    const needs = edges.filter((it) => it.from === node.address).map((it) => `${edgeOf(it.kind)} ${it.to}`);
    const needed = edges.filter((it) => it.to === node.address).map((it) => it.from);
    const cells = [node.kind, node.wave + 1, `${symbolOf(kind)} ${futureOf(kind)}`, listed(needs), listed(needed), placeOf(node.origin)];
    return h("tr", { "data-row": node.address }, h("th", { scope: "row" }, node.address), cells.map((it, at) => h("td", at === 2 ? { class: toneOf(kind) } : {}, it)));
  };
  return h(
    "table",
    { part: "table" },
    h("caption", {}, label),
    h("thead", {}, h("tr", {}, heads.map((it) => h("th", { scope: "col" }, it)))),
    h("tbody", {}, nodes.map(row)),
  );
}

function listed(all) {
  const unique = [...new Set(all)];
  return unique.length === 0 ? "–" : unique.join(", ");
}
