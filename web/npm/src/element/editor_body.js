// The live editor, or the listing of files that are only read: tabs, text, problems and the plan in one sentence.
import { listing } from "./listing_tree.js";
import { placeIn, targetOf } from "./target.js";
import { problemsOf, sentenceOf } from "./words.js";
import { h, toDom } from "./tree.js";

const LAYERS = 8;
let module;

export class EditorBody {
  #view;
  #element;
  #tabs;
  #panel;
  #strip;
  #shown = null;
  #handle = null;
  #applied = new Map();

  constructor(view, element) {
    this.#view = view;
    this.#element = element;
    this.node = toDom(editorFrame());
    [this.#tabs, this.#panel, this.#strip] = this.node.children;
    this.node.addEventListener("click", ({ target }) => this.#click(target));
    this.#tabs.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Loads CodeMirror, which is not needed for files that are only read. */
  async prepare() {
    if (this.#element.readOnly) return;
    module ??= import("./element_codemirror.js").catch((error) => {
      module = undefined;
      throw error;
    });
    this.createEditor = (await module).createEditor;
  }

  async changed(attribute) {
    if (attribute === "view") this.#choose(this.#element.view);
    else if (attribute === "readonly") await this.#switch();
    else if (attribute === "theme") this.#paint();
  }

  draw() {
    const names = this.#names();
    if (!names.includes(this.#shown)) this.#shown = names.includes(this.#element.view) ? this.#element.view : names[0];
    this.#drawTabs(names);
    if (this.#element.readOnly) this.#drawListing();
    else this.#drawEditor();
    this.#drawStrip();
  }

  goto(text) {
    const target = targetOf(text);
    const place = target && placeIn(target, this.#view.model);
    if (!place) return;
    this.#choose(this.#names().includes(place.file) ? place.file : this.#shown);
    if (this.#handle) this.#handle.revealRange(place.line, 1, place.line, 1000, { focus: false });
    else this.#markLine(place.line);
  }

  close() {
    this.#handle?.destroy();
    this.#handle = null;
  }

  #names() {
    return this.#view.model.files.map(({ name }) => name);
  }

  async #switch() {
    await this.prepare();
    this.close();
    this.#panel.replaceChildren();
    this.draw();
  }

  #choose(name) {
    if (!this.#names().includes(name) || name === this.#shown) return;
    this.#shown = name;
    this.draw();
  }

  #drawTabs(names) {
    const tab = (name) => h("button", { class: "tab", part: "tab", type: "button", role: "tab", id: `tab-${names.indexOf(name)}`, "data-tab": name, "aria-selected": String(name === this.#shown), "aria-controls": "panel", tabindex: name === this.#shown ? 0 : -1 }, name);
    const had = this.#tabs.contains(this.#tabs.getRootNode().activeElement);
    this.#tabs.replaceChildren(...names.map((it) => toDom(tab(it))));
    this.#panel.setAttribute("aria-labelledby", `tab-${names.indexOf(this.#shown)}`);
    if (had) this.#tabs.querySelector("[aria-selected=true]")?.focus();
  }

  #drawListing() {
    const { model } = this.#view;
    const scrolled = this.#panel.firstElementChild?.scrollTop ?? 0;
    const node = toDom(listing({ name: this.#shown, text: model.textOf(this.#shown), diagnostics: model.diagnostics, id: this.#element.id }));
    this.#panel.replaceChildren(node);
    node.scrollTop = scrolled;
  }

  #drawEditor() {
    const { model } = this.#view;
    this.#handle ??= this.#begin();
    // What was typed here is there already; what another element changed is not.
    if (this.#applied.get(this.#shown) !== model.textOf(this.#shown) || this.#applied.shown !== this.#shown) {
      this.#handle.setDocument(this.#shown, model.textOf(this.#shown));
      this.#applied.set(this.#shown, model.textOf(this.#shown));
      this.#applied.shown = this.#shown;
    }
    this.#handle.setProblems(model.diagnostics);
  }

  #begin() {
    const { model } = this.#view;
    const handle = this.createEditor(this.#panel, {
      onChange: (name, text) => this.#typed(name, text),
      provideHover: async (line, column) => model.hover(this.#shown, line, column),
      provideCompletion: async (line, column) => model.complete(this.#shown, line, column),
      provideDefinition: async (line, column) => model.definition(this.#shown, line, column),
      onGoto: (place) => this.#follow(place),
      onApplyFix: (problem, fix) => this.#fix(model.diagnostics[problem]?.fixes[fix]),
    });
    handle.setLayers(this.#names().map((file, at) => ({ file, letter: String.fromCharCode(65 + (at % 26)), color: `var(--layer-${at % LAYERS})` })));
    this.#paint(handle);
    return handle;
  }

  #paint(handle = this.#handle) {
    const [red = 0, green = 0, blue = 0] = getComputedStyle(this.node).color.match(/[\d.]+/g)?.map(Number) ?? [];
    handle?.setTheme(red + green + blue > 384 ? "dark" : "light");
  }

  #typed(name, text) {
    this.#applied.set(name, text);
    this.#view.model.setText(name, text);
    this.#view.say("change", { file: name, text, files: this.#view.model.files });
  }

  #follow(place) {
    this.#choose(place.file);
    this.#handle?.revealRange(place.line, place.column, place.end_line, place.end_column);
    this.#view.say("select", { file: place.file, line: place.line });
  }

  /** Applies a fix, file by file. */
  #fix(fix) {
    const files = [...new Set((fix?.edits ?? []).map((it) => it.file))];
    for (const file of files) {
      this.#choose(file);
      this.#handle?.applyEdits(fix.edits.filter((it) => it.file === file));
    }
  }

  #drawStrip() {
    const { diagnostics, plan } = this.#view.model;
    const worst = ["error", "warning", "hint"].find((severity) => diagnostics.some((it) => it.severity === severity));
    const sentence = worst === "error" ? "There is no plan until the errors are fixed." : sentenceOf(plan);
    const button = h("button", { class: `tool ${worst ?? ""}`, type: "button", "data-problems": true, disabled: !worst }, problemsOf(diagnostics));
    this.#strip.replaceChildren(toDom(button), toDom(h("span", { class: "sentence" }, sentence)));
  }

  #click(target) {
    const name = target.closest("[data-tab]")?.dataset.tab;
    if (name) this.#choose(name);
    else if (target.closest("[data-problems]")) this.#nextProblem();
    const line = target.closest(".line");
    if (line) this.#view.say("select", { file: line.dataset.lineOf, line: Number(line.dataset.number) });
  }

  #nextProblem() {
    const found = this.#view.model.diagnostics.find((it) => it.file !== null);
    if (!found) return;
    this.#choose(found.file);
    if (this.#handle) this.#handle.revealRange(found.line, found.column, found.end_line, found.end_column);
    else this.#markLine(found.line);
  }

  #markLine(number) {
    for (const line of this.#panel.querySelectorAll(".line")) {
      const isIt = line.dataset.number === String(number);
      line.classList.toggle("current", isIt);
      if (isIt) line.scrollIntoView({ block: "nearest" });
    }
  }

  /** The keys of tabs. */
  #key(event) {
    const names = this.#names();
    const at = names.indexOf(this.#shown);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#choose(names[(next + names.length) % names.length]);
  }
}

function editorFrame() {
  return h(
    "div",
    { class: "editor-body", part: "editor" },
    h("div", { class: "tabs", part: "tabs", role: "tablist", "aria-label": "Files" }),
    h("div", { class: "panel", part: "panel", id: "panel", role: "tabpanel" }),
    h("div", { class: "strip", part: "strip" }),
  );
}
