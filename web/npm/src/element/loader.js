// What a page loads first: the three elements, their attributes and the room that they take. Everything else is loaded when
// one of them comes near the visible part of the page.
import { ATTRIBUTES, mirrored } from "./attributes.js";

const KINDS = ["editor", "graph", "plan"];
const HEIGHT = 360;
const LEAST = 200;
const FIRST = ["pointerover", "focusin", "click"];

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { display: block; }
:host([hidden]) { display: none; }
.frame { box-sizing: border-box; overflow: auto; }
.start { font: inherit; margin: 0 0 8px; padding: 6px 12px; cursor: pointer; }
::slotted(pre) { margin: 0; }
`);

const nearby = new IntersectionObserver(
  (entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && target.start()),
  { rootMargin: "400px" },
);

/** Once the children of an element that the parser has just met are there. */
const parsed = () =>
  document.readyState === "loading" && new Promise((done) => addEventListener("DOMContentLoaded", done, { once: true }));

/** What the fragment of the page's address names inside an element: `#ID:TARGET`. */
export function named(id) {
  try {
    const fragment = decodeURIComponent(location.hash.slice(1));
    return id && fragment.startsWith(`${id}:`) ? fragment.slice(id.length + 1) : null;
  } catch {
    return null; // not a percent-encoded text
  }
}

/** The height as CSS: what is asked for, or what the children take, so that nothing below moves. */
function heightOf(asked, before) {
  if (asked === "auto") return "auto";
  return `${Number.parseFloat(asked) || (before > 0 ? Math.max(before, LEAST) : HEIGHT)}px`;
}

class PlanloomElement extends HTMLElement {
  static observedAttributes = ATTRIBUTES;
  #given = {};
  #started;
  #view;

  connectedCallback() {
    for (const name of ["files", "state", "focus", ...mirrored.keys()]) this.#upgrade(name);
    const root = this.shadowRoot;
    if (root?.firstElementChild) return this.#wait(root);
    this.#reserve(root ?? this.attachShadow({ mode: "open" }));
    addEventListener("hashchange", this.#jump);
    if (this.loading === "click") return;
    if (this.loading === "eager" || named(this.id) !== null) this.start();
    else nearby.observe(this);
  }

  disconnectedCallback() {
    nearby.unobserve(this);
    removeEventListener("hashchange", this.#jump);
    // An element that is only moved is connected again at once.
    queueMicrotask(() => !this.isConnected && this.#close());
  }

  attributeChangedCallback(name, before, now) {
    if (before !== now) this.#view?.changed(name);
  }

  /** Loads what draws the element, and draws it; more calls wait for the first. */
  start() {
    nearby.unobserve(this);
    this.#started ??= this.#open().catch((error) => {
      this.#started = undefined; // A failed download may be tried again.
      const detail = { code: "element/not-loaded", message: String(error?.message ?? error) };
      this.dispatchEvent(new CustomEvent("planloom-error", { bubbles: true, composed: true, detail }));
    });
    return this.#started;
  }

  /** The method of every element; some frameworks set the attribute through it. */
  get focus() {
    return HTMLElement.prototype.focus;
  }

  set focus(target) {
    this.focusTarget = target;
  }

  get files() {
    return this.#view?.files ?? this.#given.files ?? null;
  }

  set files(files) {
    this.#given.files = files;
    this.#view?.give("files", files);
  }

  get state() {
    return this.#view?.state ?? this.#given.state ?? null;
  }

  set state(state) {
    this.#given.state = state;
    this.#view?.give("state", state);
  }

  async #open() {
    await parsed();
    const { open } = await import("./element_parts.js");
    if (!this.isConnected) return;
    this.#view = open(this, this.#given);
    await this.#view.ready;
    this.#jump();
  }

  #jump = () => {
    const target = named(this.id);
    if (target === null) return;
    if (this.#view) this.#view.goto(target, true);
    else this.start();
  };

  /** An element that was drawn when the page was built is live from the first touch on. */
  #wait(root) {
    const begin = () => {
      FIRST.forEach((name) => root.removeEventListener(name, begin));
      this.start();
    };
    FIRST.forEach((name) => root.addEventListener(name, begin));
    addEventListener("hashchange", this.#jump);
    if (named(this.id) !== null) begin();
  }

  #reserve(root) {
    const before = this.childElementCount > 0 ? this.offsetHeight : 0;
    const frame = document.createElement("div");
    frame.className = "frame";
    frame.part = "frame";
    frame.tabIndex = 0;
    frame.style.height = heightOf(this.height, before);
    frame.append(...(this.loading === "click" ? [this.#button()] : []), document.createElement("slot"));
    root.adoptedStyleSheets = [sheet];
    root.append(frame);
  }

  #button() {
    const button = document.createElement("button");
    button.className = "start";
    button.part = "start";
    button.textContent = "Show";
    button.onclick = () => this.start();
    return button;
  }

  #close() {
    this.#view?.close();
    this.#view = this.#started = undefined;
    this.shadowRoot?.replaceChildren();
  }

  /** What was set before the class was there is set again, through it. */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    this[name] = value;
  }
}

for (const [name, attribute] of mirrored) Object.defineProperty(PlanloomElement.prototype, name, attribute);
for (const kind of KINDS) {
  const name = `planloom-${kind}`;
  if (!customElements.get(name)) customElements.define(name, class extends PlanloomElement {});
}
