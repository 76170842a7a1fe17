// One element of a page: where its files come from, what it shows, and what it says to the page.
import { engine } from "./engine.js";
import { fetchFiles, fetchText, filesOf, kindOf, stateOf } from "./files.js";
import { Model } from "./model.js";
import { adopt } from "./sheets.js";
import { EditorBody } from "./editor_body.js";
import { GraphBody } from "./graph_body.js";
import { PlanBody } from "./plan_body.js";
import { h, toDom } from "./tree.js";

const BODIES = { editor: EditorBody, graph: GraphBody, plan: PlanBody };
const SOURCES = ["src", "state-src", "from"];
/** The time between a change and its drawing, in milliseconds. */
const PAUSE = 30;
const views = new WeakMap();

/** Draws an element. `given` has files and a state that the page set itself. */
export function open(element, given) {
  const view = new View(element, given);
  views.set(element, view);
  return view;
}

class View {
  #element;
  #given;
  #body;
  #frame;
  #silence;
  #drawing;
  #closed = false;

  constructor(element, given) {
    this.#element = element;
    this.#given = given;
    this.ready = this.#load();
  }

  get files() {
    return this.model?.files;
  }

  get state() {
    return this.model?.state;
  }

  /** The page sets files or a state. An element that had none begins with them. */
  async give(what, value) {
    await this.ready;
    if (!this.model) await this.reload();
    else if (what === "state") this.model.setState(value);
    else await this.model.setFiles(value);
  }

  /** Reads the files again. */
  reload() {
    this.ready = this.ready.then(() => this.#load());
    return this.ready;
  }

  changed(attribute) {
    if (SOURCES.includes(attribute)) this.#replaceSource(attribute);
    else if (attribute === "height") this.#resize();
    else if (attribute === "mode") this.model?.setMode(this.#element.mode);
    else if (attribute === "focus") this.goto(this.#element.focusTarget, false);
    else this.#body?.changed?.(attribute);
  }

  /** An address takes the place of what the page has set itself. */
  #replaceSource(attribute) {
    this.#given[attribute === "state-src" ? "state" : "files"] = null;
    this.reload();
  }

  /** Shows what a target names, and says whether it is there. */
  async goto(target, scrolls) {
    await this.ready;
    if (!target || !this.#body) return;
    if (scrolls) this.#element.scrollIntoView({ block: "nearest" });
    await this.#body.goto(target);
  }

  say(name, detail) {
    const plain = JSON.parse(JSON.stringify(detail));
    this.#element.dispatchEvent(new CustomEvent(`planloom-${name}`, { bubbles: true, composed: true, detail: plain }));
  }

  /** Something was chosen: other elements that show the same files follow. */
  select(detail) {
    this.say("select", detail);
    const target = detail.address ?? `${detail.file}:${detail.line}`;
    for (const other of this.model.shownBy) if (other !== this) other.follow(target);
  }

  follow(target) {
    this.#body?.goto(target, { quietly: true });
  }

  close() {
    this.#closed = true;
    this.#leave();
    views.delete(this.#element);
  }

  async #load() {
    try {
      await this.#enter(await this.#find());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The model of another element, or one of its own. */
  async #find() {
    const other = this.#element.from && this.#element.ownerDocument.getElementById(this.#element.from);
    if (!other) {
      if (this.#element.from) throw coded("element/no-source", `there is no element with the id ${this.#element.from}`);
      return this.#read();
    }
    await other.start?.();
    const view = views.get(other);
    await view?.ready;
    if (!view?.model) throw coded("element/no-source", `the element ${this.#element.from} shows no files`);
    return view.model;
  }

  async #read() {
    const { src, stateSrc } = this.#element;
    const base = this.#element.baseURI;
    const running = await engine();
    const files = this.#given.files ?? (src ? await fetchFiles(src, base, running.readPackage) : filesOf(this.#element));
    const state = this.#given.state ?? (stateSrc ? await fetchText(stateSrc, base) : stateOf(this.#element));
    if (files.length === 0) throw coded("element/no-files", "there are no files: add a <pre data-file=\"app.yaml\"> or a src");
    return Model.of(running, files, state);
  }

  async #enter(model) {
    if (this.#closed) return model.release(this);
    const followers = this.model && !this.#element.from ? [...this.model.shownBy].filter((it) => it !== this) : [];
    this.#leave();
    this.model = model;
    if (!this.#element.from) model.setMode(this.#element.mode);
    model.shownBy.add(this);
    this.#silence = model.listen(() => this.#schedule());
    this.#body = new BODIES[kindOf(this.#element)](this, this.#element);
    await this.#show();
    if (this.#element.focusTarget) await this.#body.goto(this.#element.focusTarget);
    this.say("ready", { files: model.files.map(({ name }) => name) });
    this.#report();
    followers.forEach((it) => it.reload());
  }

  /** Replaces what the element had before by what it shows now. */
  async #show() {
    const root = this.#element.shadowRoot;
    await this.#body.prepare?.();
    const before = kept(root);
    this.#frame = toDom(h("div", { class: `frame ${kindOf(this.#element)}`, part: "frame" }));
    this.#resize(root.querySelector(".frame"));
    adopt(root);
    this.#frame.append(this.#body.node);
    root.replaceChildren(this.#frame);
    this.#body.draw();
    restore(root, before);
  }

  /** Draws what was typed in a row at once, and not each letter of it. */
  #schedule() {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.#draw();
    }, PAUSE);
  }

  #draw() {
    if (!this.#body) return;
    try {
      this.#body.draw();
      this.#report();
    } catch (error) {
      this.#fail(error); // of this element: the others are still drawn
    }
  }

  #report() {
    this.say("diagnostics", this.model.diagnostics);
    this.say("plan", { ...this.model.plan, actions: this.model.plan.actions.filter((it) => it.action !== "no_op") });
  }

  /** Takes the height that the element has, or else that of what was there before, so that nothing below moves. */
  #resize(before) {
    const asked = this.#element.height;
    const pixels = Number.parseFloat(asked) || before?.offsetHeight;
    if (asked === "auto") this.#frame?.style.setProperty("height", "auto");
    else if (pixels) this.#frame?.style.setProperty("height", `${pixels}px`);
  }

  #leave() {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    this.#silence?.();
    this.#body?.close?.();
    this.#body = undefined;
    this.model?.release(this);
    this.model = undefined;
  }

  /** The files stay readable, with one line that says what is wrong. */
  #fail(error) {
    const detail = { code: error?.code ?? "element/failed", message: String(error?.message ?? error) };
    const root = this.#element.shadowRoot;
    adopt(root);
    const note = h("p", { class: "note error", part: "error", role: "alert" }, detail.message);
    const frame = root.querySelector(".frame") ?? root.appendChild(toDom(h("div", { class: "frame", part: "frame" }, h("slot"))));
    frame.querySelector(":scope > .note")?.remove();
    frame.prepend(toDom(note));
    this.say("error", detail);
  }
}

/** What a reader had opened and where the focus was, by the keys of what was drawn. */
function kept(root) {
  const open = [...root.querySelectorAll("details[open][data-address]")].map((it) => it.dataset.address);
  return { open, focused: root.activeElement?.closest("[data-address]")?.dataset.address };
}

function restore(root, { open, focused }) {
  for (const row of root.querySelectorAll("details[data-address]")) if (open.includes(row.dataset.address)) row.open = true;
  const found = focused && [...root.querySelectorAll("[data-address]")].find((it) => it.dataset.address === focused);
  (found?.localName === "details" ? found.querySelector("summary") : found)?.focus({ preventScroll: true });
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}
