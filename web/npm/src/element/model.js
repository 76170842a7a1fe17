// Files with a recorded state, and what the engine computes from them. Several elements may show one model.

export class Model {
  /** The views that show it. */
  shownBy = new Set();
  #workspace;
  #listeners = new Set();
  #cache = new Map();
  #files;
  #state = null;
  #mode = "apply";

  constructor(workspace, files, state) {
    this.#workspace = workspace;
    this.#files = files;
    this.#state = state;
  }

  /** A model whose capabilities are loaded. */
  static async of(engine, files, state) {
    const workspace = engine.workspace();
    workspace.setFiles(files);
    await workspace.ready();
    return new Model(workspace, files, state);
  }

  get files() {
    return this.#files.map(({ name, text }) => ({ name, text }));
  }

  get state() {
    return this.#state;
  }

  textOf(name) {
    return this.#files.find((it) => it.name === name)?.text ?? "";
  }

  lineOf({ file, line }) {
    return this.textOf(file).split("\n")[line - 1] ?? "";
  }

  /** Replaces all files, and loads what these need. */
  async setFiles(files) {
    this.#files = files;
    this.#workspace.setFiles(files);
    await this.#workspace.ready();
    this.#changed();
  }

  setText(name, text) {
    this.#files = this.#files.map((it) => (it.name === name ? { ...it, text } : it));
    this.#workspace.setFile(name, text);
    // What a new kind of file needs is loaded in the meantime; until then its diagnostics say so.
    if (this.#workspace.notLoaded().length > 0) this.#workspace.ready().then(() => this.#changed());
    this.#changed();
  }

  setState(state) {
    this.#state = state;
    this.#changed();
  }

  get mode() {
    return this.#mode;
  }

  setMode(mode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#changed();
  }

  get diagnostics() {
    return this.#once("diagnostics", () => this.#workspace.diagnostics().diagnostics);
  }

  get plan() {
    return this.#once("plan", () => this.#workspace.plan(this.#options));
  }

  get layout() {
    return this.#once("layout", () => this.#workspace.layout());
  }

  get graph() {
    return this.layout.graph;
  }

  get origins() {
    return this.#once("origins", () => this.#workspace.merged({ origins: true }).origins);
  }

  hover(file, line, column) {
    return this.#workspace.hover(file, line, column, this.#options);
  }

  complete(file, line, column) {
    return this.#workspace.complete(file, line, column);
  }

  definition(file, line, column) {
    return this.#workspace.definition(file, line, column);
  }

  /** Calls a function after each change; gives one that ends that. */
  listen(changed) {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** A view shows it no more; the last one frees it. */
  release(view) {
    this.shownBy.delete(view);
    if (this.shownBy.size > 0) return;
    this.#listeners.clear();
    this.#workspace.free();
  }

  get #options() {
    const destroy = this.#mode === "destroy";
    return this.#state === null ? { destroy, list_unchanged: true } : { destroy, list_unchanged: true, state: this.#state };
  }

  #once(name, compute) {
    if (!this.#cache.has(name)) this.#cache.set(name, compute());
    return this.#cache.get(name);
  }

  #changed() {
    this.#cache.clear();
    for (const listener of this.#listeners) listener();
  }
}
