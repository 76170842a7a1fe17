// Zooming and panning of a drawing, by its view box. A plain wheel and a finger scroll the page, as everywhere else on it.
import { viewOf } from "./graph_tree.js";

const STEP = 1.25;
/** The scale that a drawing is shown at where there is room for more. */
const LARGEST = 1.15;
const CLOSEST = 0.15;
const FURTHEST = 4;

export class Zoom {
  #stage;
  #svg;
  #whole = [0, 0, 1, 1];
  #box = null;
  #pointers = new Map();

  constructor(stage) {
    this.#stage = stage;
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    stage.addEventListener("keydown", (event) => this.#key(event));
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId));
  }

  /** Another drawing is there; one of the same size is seen as the one before was. */
  attach(svg, size) {
    const whole = this.#fitting(size);
    if (whole.join() !== this.#whole.join()) this.#box = null;
    this.#whole = whole;
    this.#svg = svg;
    this.#set(this.#box ?? whole);
    if (this.#box === null) this.#box = whole;
  }

  /** All of the drawing; a small one is not blown up to the size of the stage. */
  #fitting(size) {
    const [x, y, width, height] = viewOf(size);
    const { clientWidth, clientHeight } = this.#stage;
    const share = Math.max(1, Math.min(clientWidth / width, clientHeight / height) / LARGEST);
    return [x - (width * (share - 1)) / 2, y - (height * (share - 1)) / 2, width * share, height * share];
  }

  by(name) {
    if (name === "fit") this.#set(this.#whole);
    else this.#scale(name === "in" ? 1 / STEP : STEP, 0.5, 0.5);
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const [x, y] = this.#share(event);
    this.#scale(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), x, y);
  }

  #key(event) {
    const name = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.by(name);
  }

  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  /** One mouse button pans, two fingers pan and zoom; one finger scrolls the page. */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    if (event.pointerType === "mouse" && event.buttons === 0) return void this.#pointers.delete(event.pointerId);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const now = [event.clientX, event.clientY];
    this.#pointers.set(event.pointerId, now);
    if (event.pointerType !== "mouse" && others.length === 0) return;
    const share = others.length === 0 ? 1 : 0.5;
    this.#pan((now[0] - before[0]) * share, (now[1] - before[1]) * share);
    if (others.length > 0) this.#pinch(before, now, others[0]);
  }

  #pinch(before, now, other) {
    const distance = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
    const [x, y] = this.#share({ clientX: (now[0] + other[0]) / 2, clientY: (now[1] + other[1]) / 2 });
    this.#scale(distance(before) / distance(now), x, y);
  }

  #pan(dx, dy) {
    const scale = this.#perPixel();
    const [x, y, width, height] = this.#box;
    this.#set([x - dx * scale, y - dy * scale, width, height]);
  }

  #scale(factor, shareX, shareY) {
    const [x, y, width, height] = this.#box;
    const wanted = Math.min(this.#whole[2] * FURTHEST, Math.max(this.#whole[2] * CLOSEST, width * factor));
    const real = wanted / width;
    this.#set([x + width * (1 - real) * shareX, y + height * (1 - real) * shareY, width * real, height * real]);
  }

  #perPixel() {
    const { width, height } = this.#svg.getBoundingClientRect();
    return Math.max(this.#box[2] / (width || 1), this.#box[3] / (height || 1));
  }

  #share({ clientX, clientY }) {
    const { left, top, width, height } = this.#svg.getBoundingClientRect();
    return [(clientX - left) / (width || 1), (clientY - top) / (height || 1)];
  }

  #set(box) {
    this.#box = box;
    this.#svg.setAttribute("viewBox", box.map((it) => Number(it.toFixed(2))).join(" "));
    this.#stage.dataset.zoomed = String(box !== this.#whole);
  }
}
