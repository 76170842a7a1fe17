import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  searchKeymap,
  setSearchQuery,
} from "@codemirror/search";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, keymap, type Panel, runScopeHandlers, type ViewUpdate } from "@codemirror/view";
import { el } from "./dom";
import { icons } from "./icons";
import { words } from "./words";

const countLimit = 1000;

class SearchPanel implements Panel {
  readonly dom: HTMLElement;
  readonly top = true;
  private query: SearchQuery;
  private readonly find: HTMLInputElement;
  private readonly replacement: HTMLInputElement;
  private readonly toggles: Record<"caseSensitive" | "wholeWord" | "regexp", HTMLButtonElement>;
  private readonly count = el("span", { class: "pl-search-count", role: "status" });

  constructor(readonly view: EditorView) {
    this.query = getSearchQuery(view.state);
    const commit = () => this.commit();
    this.find = input(words.find, this.query.search, commit, "true");
    this.replacement = input(words.replaceWith, this.query.replace, commit);
    this.toggles = {
      caseSensitive: this.toggle("Aa", words.matchCase, this.query.caseSensitive),
      wholeWord: this.toggle(icons.word(), words.wholeWord, this.query.wholeWord),
      regexp: this.toggle(".*", words.regexp, this.query.regexp),
    };
    const field = el("span", { class: "pl-search-field" }, this.find, ...Object.values(this.toggles));
    const run = (command: (view: EditorView) => boolean) => () => void command(view);
    this.dom = el(
      "div",
      { class: "pl-search", role: "search", on: { keydown: (event) => this.key(event as KeyboardEvent) } },
      el(
        "div",
        { class: "pl-search-row" },
        field,
        this.count,
        button(icons.up(), words.previous, run(findPrevious)),
        button(icons.down(), words.next, run(findNext)),
        button(icons.close(), words.close, run(closeSearchPanel)),
      ),
      view.state.readOnly
        ? null
        : el(
            "div",
            { class: "pl-search-row" },
            el("span", { class: "pl-search-field" }, this.replacement),
            button(words.replace, words.replace, run(replaceNext)),
            button(words.all, words.replaceAll, run(replaceAll)),
          ),
    );
    this.showCount(view.state);
  }

  mount(): void {
    this.find.select();
  }

  update(update: ViewUpdate): void {
    for (const tr of update.transactions) {
      for (const effect of tr.effects) if (effect.is(setSearchQuery) && !effect.value.eq(this.query)) this.take(effect.value);
    }
    if (update.docChanged || update.selectionSet || update.transactions.length > 0) this.showCount(update.state);
  }

  private take(query: SearchQuery): void {
    this.query = query;
    this.find.value = query.search;
    this.replacement.value = query.replace;
    for (const name of ["caseSensitive", "wholeWord", "regexp"] as const) press(this.toggles[name], query[name]);
  }

  private commit(): void {
    const query = new SearchQuery({
      search: this.find.value,
      replace: this.replacement.value,
      caseSensitive: pressed(this.toggles.caseSensitive),
      wholeWord: pressed(this.toggles.wholeWord),
      regexp: pressed(this.toggles.regexp),
    });
    if (query.eq(this.query)) return;
    this.query = query;
    this.view.dispatch({ effects: setSearchQuery.of(query) });
  }

  private key(event: KeyboardEvent): void {
    if (runScopeHandlers(this.view, event, "search-panel")) {
      event.preventDefault();
    } else if (event.key === "Enter" && event.target === this.find) {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(this.view);
    } else if (event.key === "Enter" && event.target === this.replacement) {
      event.preventDefault();
      replaceNext(this.view);
    }
  }

  private toggle(face: string | Node, label: string, on: boolean): HTMLButtonElement {
    const node = button(face, label, () => {
      press(node, !pressed(node));
      this.commit();
    });
    node.classList.add("pl-search-toggle");
    press(node, on);
    return node;
  }

  private showCount(state: EditorState): void {
    const bad = this.query.search !== "" && !this.query.valid;
    this.count.textContent = this.query.search === "" ? "" : bad ? words.badPattern : countMatches(state, this.query);
    this.find.toggleAttribute("aria-invalid", bad);
  }
}

function countMatches(state: EditorState, query: SearchQuery): string {
  const { from, to } = state.selection.main;
  let total = 0;
  let current = 0;
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done && total < countLimit; next = cursor.next()) {
    total++;
    if (next.value.from === from && next.value.to === to) current = total;
  }
  if (total === 0) return words.noMatch;
  const of = total === countLimit ? `${countLimit}+` : `${total}`;
  return current > 0 ? words.matches(`${current}`, of) : of;
}

function input(label: string, value: string, commit: () => void, main?: string): HTMLInputElement {
  const node = el("input", {
    type: "text",
    class: "pl-search-input",
    placeholder: label,
    "aria-label": label,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    "main-field": main,
    on: { input: commit, change: commit },
  });
  node.value = value;
  return node;
}

function button(content: string | Node, label: string, run: () => void): HTMLButtonElement {
  return el("button", { type: "button", class: "pl-button", title: label, "aria-label": label, on: { click: run } }, content);
}

function press(node: HTMLElement, on: boolean): void {
  node.setAttribute("aria-pressed", String(on));
}

function pressed(node: HTMLElement): boolean {
  return node.getAttribute("aria-pressed") === "true";
}

/** The search panel and its keys. */
export function searching(): Extension {
  return [search({ top: true, createPanel: (view) => new SearchPanel(view) }), keymap.of(searchKeymap)];
}
