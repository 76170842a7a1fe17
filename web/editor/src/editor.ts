import { closeCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type StateEffect, Text } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
  type ViewUpdate,
} from "@codemirror/view";
import { cards, closeAll, openCard, openLineCard } from "./card";
import { completion } from "./completion";
import type { Handle, Layer, LayerMark, Options, ProblemView, Span } from "./contract";
import { definition } from "./definition";
import { type Document, difference, type Ending, readText } from "./documents";
import { highlight } from "./highlight";
import { fromApp, type Host, host } from "./host";
import { icons } from "./icons";
import { indentation } from "./indent";
import { layers, setLayerMarks } from "./layers";
import { appKeys, gotoNextProblem } from "./navigation";
import { toPlace, toRange } from "./position";
import { problems, setProblems } from "./problems";
import { reveal, revealed } from "./reveal";
import { searching } from "./search";
import { tabRule, tabRuleId } from "./tab";
import { theme } from "./theme";
import { words } from "./words";
import { wrapped } from "./wrap";
import { yamlMarks } from "./yaml_marks";

export type * from "./contract";
import { yaml } from "./yaml_language";

/** Narrower than this, in pixels, long lines wrap. */
const narrow = 560;

/** Opens an editor inside an element, which it fills. */
export function createEditor(parent: HTMLElement, options: Options = {}): Handle {
  return new Editor(parent, options);
}

class Editor implements Handle {
  private readonly view: EditorView;
  private readonly documents = new Map<string, Document>();
  private readonly badges = new Map<string, Layer>();
  private readonly host: Host;
  private readonly resized: ResizeObserver;
  private readonly label = new Compartment();
  private readonly settings = new Compartment();
  private readonly tab = { moves: false };
  private name = "";
  private ending: Ending = "\n";
  private dark = false;
  private readOnly = false;
  private wrap = false;
  private height = 0;

  constructor(
    parent: HTMLElement,
    private readonly options: Options,
  ) {
    this.host = { options, file: () => this.name, layer: (file) => this.badges.get(file) };
    const root = parent.getRootNode();
    this.view = new EditorView({
      parent,
      state: this.newState(""),
      ...(root instanceof ShadowRoot ? { root } : {}),
    });
    this.resized = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? { width: 0, height: 0 };
      this.fit(width);
      this.keepCursor(height);
    });
    this.resized.observe(parent);
  }

  setDocument(name: string, text: string, { resetHistory = false } = {}): void {
    const read = readText(text);
    if (resetHistory) this.documents.delete(name);
    if (name !== this.name) this.switchTo(name, read.text);
    else if (resetHistory) this.show(this.newState(read.text), null);
    this.ending = read.ending;
    const changes = difference(this.view.state.doc.toString(), read.text);
    if (changes) this.view.dispatch({ changes, annotations: [fromApp.of(true), isolateHistory.of("full")] });
    this.tellCursor();
  }

  renameDocument(from: string, to: string): void {
    if (from === this.name) {
      this.name = to;
      this.documents.delete(to);
      this.view.dispatch({ effects: this.label.reconfigure(this.labelled()) });
    } else {
      const kept = this.documents.get(from);
      this.documents.delete(from);
      if (kept) this.documents.set(to, kept);
    }
  }

  dropDocument(name: string): void {
    this.documents.delete(name);
    if (name !== this.name) return;
    this.name = "";
    this.show(this.newState(""), null);
  }

  getText(): string {
    const { doc } = this.view.state;
    return doc.sliceString(0, doc.length, this.ending);
  }

  setProblems(found: ProblemView[]): void {
    this.view.dispatch({ effects: setProblems.of({ file: this.name, problems: found }) });
  }

  setLayerMarks(marks: LayerMark[]): void {
    this.view.dispatch({ effects: setLayerMarks.of(marks) });
  }

  setLayers(all: Layer[]): void {
    this.badges.clear();
    for (const layer of all) this.badges.set(layer.file, layer);
  }

  revealRange(line: number, column: number, endLine: number, endColumn: number, { focus = true } = {}): void {
    const { from, to } = toRange(this.view.state.doc, { line, column, end_line: endLine, end_column: endColumn });
    reveal(this.view, from, to);
    if (focus) this.view.focus();
  }

  setTheme(name: "light" | "dark"): void {
    this.dark = name === "dark";
    this.configure();
  }

  setReadOnly(readOnly: boolean): void {
    this.readOnly = readOnly;
    this.configure();
  }

  undo(): boolean {
    return undo(this.view);
  }

  redo(): boolean {
    return redo(this.view);
  }

  applyEdits(edits: (Span & { new_text: string })[]): boolean {
    const { doc } = this.view.state;
    const changes = edits
      .map((edit) => ({ ...toRange(doc, edit), insert: linesOf(edit.new_text) }))
      .sort((a, b) => a.from - b.from || a.to - b.to);
    if (changes.some((change, n) => change.from < (changes[n - 1]?.to ?? 0))) return false;
    this.view.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.fix" });
    return true;
  }

  focus(): void {
    this.view.focus();
  }

  openSearch(): void {
    openSearchPanel(this.view);
  }

  gotoNextProblem(direction: 1 | -1): boolean {
    return gotoNextProblem(this.view, direction);
  }

  openCard(): Promise<boolean> {
    return openCard(this.view);
  }

  destroy(): void {
    this.resized.disconnect();
    this.documents.clear();
    this.view.destroy();
  }

  private newState(text: string): EditorState {
    return EditorState.create({ doc: Text.of(text.split("\n")), extensions: this.extensions() });
  }

  private extensions(): Extension {
    const openLine = (view: EditorView, line: number) => openLineCard(view, line);
    return [
      host.of(this.host),
      this.options.nonce ? EditorView.cspNonce.of(this.options.nonce) : [],
      this.label.of(this.labelled()),
      this.settings.of(this.configured()),
      // Lines are split as the engine splits them; a lone carriage return is a visible character.
      EditorState.lineSeparator.of("\n"),
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
      EditorState.tabSize.of(2),
      EditorState.allowMultipleSelections.of(true),
      EditorView.clickAddsSelectionRange.of((event) => event.altKey && !event.shiftKey),
      EditorView.updateListener.of((update) => this.report(update)),
      EditorView.domEventHandlers({ drop: leaveFilesToTheApp, dragover: () => false }),
      problems(openLine),
      lineNumbers(),
      layers(openLine),
      codeFolding({ placeholderDOM: foldPlaceholder }),
      foldGutter({ markerDOM: foldMarker }),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      highlightSpecialChars(),
      EditorView.scrollMargins.of(beforeCursor),
      highlightSelectionMatches({ minSelectionLength: 2 }),
      history(),
      drawSelection(),
      dropCursor(),
      rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey && event.button === 0 }),
      crosshairCursor({ key: "Alt" }),
      bracketMatching(),
      yaml(),
      syntaxHighlighting(highlight),
      yamlMarks(),
      indentation(),
      completion(),
      cards(),
      definition(),
      revealed(),
      searching(),
      tabRule(this.tab),
      appKeys(),
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
      this.options.placeholder ? placeholder(this.options.placeholder) : [],
      theme,
    ];
  }

  private labelled(): Extension {
    return EditorView.contentAttributes.of({ "aria-label": words.editor(this.name), "aria-describedby": tabRuleId, tabindex: "0" });
  }

  private configured(): Extension {
    return [
      EditorView.darkTheme.of(this.dark),
      EditorState.readOnly.of(this.readOnly),
      this.wrap ? wrapped : [],
    ];
  }

  private configure(): void {
    this.view.dispatch({ effects: this.settings.reconfigure(this.configured()) });
  }

  /** Wraps lines by the room there is; an editor that is hidden has none. */
  private fit(width: number): void {
    const wrap = width < narrow;
    if (width === 0 || wrap === this.wrap) return;
    this.wrap = wrap;
    this.configure();
  }

  /** A pane that opens below must not hide the line that is being written. */
  private keepCursor(height: number): void {
    const { scrollDOM, state, hasFocus } = this.view;
    const before = this.height;
    this.height = height;
    if (!hasFocus || height === 0 || height >= before) return;
    const { head } = state.selection.main;
    const { top, bottom } = this.view.lineBlockAt(head);
    const from = scrollDOM.scrollTop - this.view.documentPadding.top;
    if (top >= from && bottom <= from + before) this.view.dispatch({ effects: EditorView.scrollIntoView(head) });
  }

  /** Shows a file as it was left, or for the first time. */
  private switchTo(name: string, text: string): void {
    closeAll(this.view);
    closeCompletion(this.view);
    if (this.name) this.documents.set(this.name, { state: this.view.state, scroll: this.view.scrollSnapshot() });
    const kept = this.documents.get(name);
    this.documents.delete(name);
    this.name = name;
    this.show(kept?.state ?? this.newState(text), kept?.scroll ?? null);
  }

  private show(state: EditorState, scroll: StateEffect<unknown> | null): void {
    this.view.setState(state);
    const effects = [this.label.reconfigure(this.labelled()), this.settings.reconfigure(this.configured())];
    this.view.dispatch({ effects: scroll ? [...effects, scroll] : effects });
    // Another text begins at its first column, wherever the one before was scrolled to.
    if (!scroll) this.view.scrollDOM.scrollTo(0, 0);
  }

  private report(update: ViewUpdate): void {
    const own = update.transactions.every((tr) => !tr.docChanged || tr.annotation(fromApp));
    if (!own) {
      this.options.onChange?.(this.name, this.getText());
      this.options.onEdit?.(this.name, update.changes.toJSON());
    }
    if (update.docChanged || update.selectionSet) this.tellCursor();
  }

  private tellCursor(): void {
    const { line, column } = toPlace(this.view.state.doc, this.view.state.selection.main.head);
    this.options.onCursor?.(line, column);
  }
}

/** What has to be seen to the left of the cursor: at the first word of a line the gutter and all of the indentation. */
function beforeCursor({ state, scrollDOM, defaultCharacterWidth }: EditorView): { left: number } | null {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const most = 40;
  const before = line.text.slice(0, Math.min(head - line.from, most));
  if (/\S/.test(before)) return null;
  const gutter = scrollDOM.querySelector<HTMLElement>(".cm-gutters")?.offsetWidth ?? 0;
  return { left: gutter + before.length * defaultCharacterWidth };
}

function linesOf(text: string): Text {
  return Text.of(text.replaceAll("\r\n", "\n").split("\n"));
}

/** Dropped files become layers, not text at the cursor. */
function leaveFilesToTheApp(event: DragEvent): boolean {
  return (event.dataTransfer?.files.length ?? 0) > 0;
}

function foldMarker(open: boolean): HTMLElement {
  const node = document.createElement("span");
  node.className = open ? "pl-fold pl-fold-open" : "pl-fold";
  node.title = open ? words.fold : words.unfold;
  node.append(open ? icons.down() : icons.right());
  return node;
}

function foldPlaceholder(_view: EditorView, onclick: (event: Event) => void): HTMLElement {
  const node = document.createElement("button");
  node.className = "pl-fold-placeholder";
  node.type = "button";
  node.tabIndex = -1;
  node.title = words.unfold;
  node.setAttribute("aria-label", words.folded);
  node.textContent = "…";
  node.onclick = onclick;
  return node;
}
