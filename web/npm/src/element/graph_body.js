// The live graph: what is drawn, its table, its card and its line of source.
import { card } from "./card_tree.js";
import { drawing, gone, graphLabel, table } from "./graph_tree.js";
import { Moves } from "./graph_moves.js";
import { Zoom } from "./graph_zoom.js";
import { addressOf, targetOf } from "./target.js";
import { edgeOf, placeOf } from "./words.js";
import { h, toDom } from "./tree.js";

const VIEWS = ["graph", "table"];

export class GraphBody {
  #view;
  #element;
  #stage;
  #source;
  #tools;
  #zoom;
  #moves;
  #open = null;

  constructor(view, element) {
    this.#view = view;
    this.#element = element;
    this.node = toDom(graphFrame());
    [this.#tools, this.#stage, this.#source] = this.node.children;
    this.#zoom = new Zoom(this.#stage);
    this.#moves = new Moves((address) => this.#show(address));
    this.#listen();
  }

  draw() {
    const { model } = this.#view;
    const { layout, plan } = model;
    const label = graphLabel(layout);
    const focused = this.#stage.getRootNode().activeElement?.dataset?.address;
    const svg = toDom(drawing({ layout, plan, label }));
    const rest = gone({ layout, plan });
    this.#stage.replaceChildren(svg, ...(rest ? [toDom(rest)] : []), toDom(h("div", { class: "as-table" }, table({ layout, plan, label }))));
    this.#zoom.attach(svg, layout.size);
    this.#moves.attach(svg, layout);
    this.#moves.mark(this.#open ?? focused, Boolean(focused));
    this.changed("view");
    if (this.#open && layout.graph.nodes.some((it) => it.address === this.#open)) this.#show(this.#open, true);
    else this.#hide();
  }

  changed(attribute) {
    if (attribute !== "view") return;
    const shown = VIEWS.includes(this.#element.view) ? this.#element.view : VIEWS[0];
    this.#stage.dataset.shown = shown;
    for (const button of this.#tools.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.dataset.view === shown));
  }

  goto(text, { quietly = false } = {}) {
    const target = targetOf(text);
    const address = target && addressOf(target, this.#view.model);
    if (!this.#moves.mark(address, !quietly)) return;
    this.#show(address, true);
  }

  #listen() {
    this.node.addEventListener("click", ({ target }) => this.#click(target));
    this.node.addEventListener("keydown", (event) => event.key === "Escape" && this.#open && this.#hide(true));
    for (const name of ["pointerover", "focusin"]) this.#stage.addEventListener(name, ({ target }) => this.#explain(target));
  }

  #click(target) {
    const button = target.closest("button");
    if (button?.dataset.view) this.#element.view = button.dataset.view;
    else if (button?.dataset.zoom) this.#zoom.by(button.dataset.zoom);
    else if (button?.hasAttribute("data-close")) this.#hide(true);
    else if (button?.dataset.file) this.#view.select({ file: button.dataset.file, line: Number(button.dataset.line) });
    else if (target.closest(".node")) this.#choose(target.closest(".node").dataset.address);
  }

  #choose(address) {
    this.#moves.mark(address, true);
    this.#show(address);
  }

  /** Shows the card of a resource. */
  #show(address, quietly = false) {
    this.#open = address;
    this.node.querySelector(".card")?.remove();
    const shown = toDom(card(address, this.#view.model));
    this.node.append(shown);
    if (quietly) return;
    shown.focus({ preventScroll: true });
    const { origin } = this.#view.model.graph.nodes.find((it) => it.address === address) ?? {};
    this.#view.select({ address, ...(origin && { file: origin.file, line: origin.line }) });
  }

  #hide(returns = false) {
    const address = this.#open;
    this.#open = null;
    this.node.querySelector(".card")?.remove();
    if (returns) this.#moves.mark(address, true);
  }

  /** Shows the line that declares what the pointer or the focus is on. */
  #explain(target) {
    const { graph } = this.#view.model;
    const edge = graph.edges[target.closest("[data-edge]")?.dataset.edge];
    const node = graph.nodes.find((it) => it.address === target.closest("[data-address]")?.dataset.address);
    const origin = edge?.origin ?? node?.origin;
    if (!origin) return;
    const about = edge ? `${edge.from} ${edgeOf(edge.kind)} ${edge.to}` : node.address;
    this.#source.replaceChildren(toDom(h("span", {}, `${about} · ${placeOf(origin)} `)), toDom(h("code", {}, this.#view.model.lineOf(origin).trim())));
  }
}

/** The frame of a live graph; also what is drawn when a page is built, without its tools. */
function graphFrame() {
  const views = VIEWS.map((it) => h("button", { class: "tool", type: "button", "data-view": it, "aria-pressed": "false" }, it === "graph" ? "Graph" : "Table"));
  const zooms = [["out", "−", "Zoom out"], ["in", "+", "Zoom in"], ["fit", "Fit", "Fit all of the graph"]];
  const buttons = zooms.map(([name, text, label]) => h("button", { class: "tool", type: "button", "data-zoom": name, "aria-label": label }, text));
  return h(
    "div",
    { class: "graph-body", part: "graph" },
    h("div", { class: "tools", part: "tools", role: "group", "aria-label": "View of the graph" }, views, h("span", { class: "gap" }), buttons),
    h("div", { class: "stage", part: "stage" }),
    h("p", { class: "source", part: "source" }, "Arrow keys follow dependencies, Enter shows a resource, Ctrl and the wheel zoom."),
  );
}
