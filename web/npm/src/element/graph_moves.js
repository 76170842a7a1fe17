// The keyboard of the graph: one stop for Tab, arrows along edges and within a step, Enter for the card.

export class Moves {
  #show;
  #nodes = new Map();
  #layout;
  #current = null;

  constructor(show) {
    this.#show = show;
  }

  attach(svg, layout) {
    this.#layout = layout;
    this.#nodes = new Map([...svg.querySelectorAll(".node")].map((it) => [it.dataset.address, it]));
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focusin", ({ target }) => this.mark(target.closest(".node")?.dataset.address, false));
    svg.addEventListener("pointerover", ({ target }) => this.#lift(svg, target.closest(".node")?.dataset.address));
    svg.addEventListener("pointerleave", () => this.#lift(svg, undefined));
  }

  /** Makes a node the one that Tab stops at. Whether it is there. */
  mark(address, focuses) {
    const node = this.#nodes.get(address);
    if (!node) return false;
    for (const [name, other] of this.#nodes) {
      other.setAttribute("tabindex", name === address ? "0" : "-1");
      other.classList.toggle("current", name === address);
    }
    this.#current = address;
    if (focuses) node.focus({ preventScroll: true });
    return true;
  }

  #key(event) {
    const address = event.target.closest(".node")?.dataset.address;
    if (!address || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#show(address);
    else if (event.key === "Home" || event.key === "End") this.mark([...this.#nodes.keys()].at(event.key === "Home" ? 0 : -1), true);
    else if (!this.#step(event.key, address)) return;
    event.preventDefault();
  }

  /** To the left is what a resource needs, to the right what needs it. Whether the key is an arrow. */
  #step(key, address) {
    const edges = this.#layout.graph.edges.filter((it) => it.direct);
    if (key === "ArrowLeft") this.#nearest(address, edges.filter((it) => it.from === address).map((it) => it.to));
    else if (key === "ArrowRight") this.#nearest(address, edges.filter((it) => it.to === address).map((it) => it.from));
    else if (key === "ArrowUp") this.#beside(address, -1);
    else if (key === "ArrowDown") this.#beside(address, 1);
    else return false;
    return true;
  }

  #nearest(address, others) {
    const middle = this.#middle(address);
    const near = others.filter((it) => this.#nodes.has(it)).sort((a, b) => Math.abs(this.#middle(a) - middle) - Math.abs(this.#middle(b) - middle));
    this.mark(near[0], true);
  }

  /** The next resource of the same step, from top to bottom. */
  #beside(address, by) {
    const { nodes } = this.#layout.graph;
    const wave = nodes.find((it) => it.address === address)?.wave;
    const same = nodes.filter((it) => it.wave === wave).map((it) => it.address).sort((a, b) => this.#middle(a) - this.#middle(b));
    this.mark(same[same.indexOf(address) + by], true);
  }

  #middle(address) {
    const [, top, , height] = this.#layout.boxes[this.#layout.graph.nodes.findIndex((it) => it.address === address)] ?? [0, 0, 0, 0];
    return top + height / 2;
  }

  /** What a resource needs and what needs it is lifted, and the rest fades. */
  #lift(svg, address) {
    svg.classList.toggle("lifting", address !== undefined);
    if (address === undefined) return;
    const near = new Set([address]);
    for (const edge of svg.querySelectorAll(".edge")) {
      const touches = edge.dataset.from === address || edge.dataset.to === address;
      edge.classList.toggle("near", touches);
      if (touches) near.add(edge.dataset.from).add(edge.dataset.to);
    }
    for (const [name, node] of this.#nodes) node.classList.toggle("near", near.has(name));
  }
}
