import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, type PluginValue, ViewPlugin } from "@codemirror/view";
import { host } from "./host";
import { toPlace } from "./position";
import { words } from "./words";

const setLink = StateEffect.define<{ from: number; to: number } | null>();
const underline = Decoration.mark({ class: "pl-goto" });

const field = StateField.define<{ from: number; to: number } | null>({
  create: () => null,
  update(value, tr) {
    for (const effect of tr.effects) if (effect.is(setLink)) return effect.value;
    return tr.docChanged ? null : value;
  },
  provide: (self) =>
    EditorView.decorations.from(self, (link) =>
      link && link.to > link.from ? Decoration.set(underline.range(link.from, link.to)) : Decoration.none,
    ),
});

const reference = /\$\{[^}\n]*\}?/g;
const tokens = new Set(["Literal", "QuotedLiteral", "Alias", "Anchor", "Tag"]);
const longest = 200;

/** The word at a position: a whole `${…}`, else a YAML scalar on one line. */
export function tokenAt(state: EditorState, pos: number): { from: number; to: number } | null {
  const line = state.doc.lineAt(pos);
  if (line.length < 10_000) {
    for (const match of line.text.matchAll(reference)) {
      const from = line.from + match.index;
      if (from <= pos && pos <= from + match[0].length) return { from, to: from + match[0].length };
    }
  }
  for (const side of [1, -1] as const) {
    const node = syntaxTree(state).resolveInner(pos, side);
    if (tokens.has(node.name) && node.to - node.from <= longest && node.to <= line.to && node.from >= line.from) {
      return { from: node.from, to: node.to };
    }
  }
  return null;
}

async function find(view: EditorView, pos: number) {
  const { options } = view.state.facet(host);
  const { line, column } = toPlace(view.state.doc, pos);
  return (await options.provideDefinition?.(line, column).catch(() => null)) ?? null;
}

/** Goes to the definition of the name at a position. */
export async function gotoDefinition(view: EditorView, pos: number): Promise<void> {
  const place = await find(view, pos);
  if (place) view.state.facet(host).options.onGoto?.(place);
  else view.dispatch({ effects: EditorView.announce.of(words.noDefinition) });
}

const mac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? "");
const modifier = mac ? "Meta" : "Control";

function held(event: MouseEvent | KeyboardEvent): boolean {
  return mac ? event.metaKey : event.ctrlKey;
}

/** With the modifier held, underlines the word under the pointer if it has a definition. */
class LinkUnderPointer implements PluginValue {
  private pointer: { x: number; y: number } | null = null;
  private requested: { from: number; to: number } | null = null;
  private readonly released = (event: KeyboardEvent) => event.key === modifier && this.clear();
  private readonly pressed = (event: KeyboardEvent) => event.key === modifier && void this.look();

  constructor(readonly view: EditorView) {
    document.addEventListener("keydown", this.pressed);
    document.addEventListener("keyup", this.released);
  }

  move(event: MouseEvent): void {
    this.pointer = { x: event.clientX, y: event.clientY };
    if (held(event)) void this.look();
    else this.clear();
  }

  left(): void {
    this.pointer = null;
    this.clear();
  }

  update(): void {
    if (this.requested && !this.view.state.field(field)) this.requested = null;
  }

  destroy(): void {
    document.removeEventListener("keydown", this.pressed);
    document.removeEventListener("keyup", this.released);
  }

  private async look(): Promise<void> {
    const pos = this.pointer && this.view.posAtCoords(this.pointer);
    const token = pos == null ? null : tokenAt(this.view.state, pos);
    if (pos == null || !token) return this.clear();
    if (this.requested?.from === token.from && this.requested.to === token.to) return;
    this.requested = token;
    const { doc } = this.view.state;
    const place = await find(this.view, pos);
    if (this.requested === token && this.view.state.doc === doc) this.show(place ? token : null);
  }

  private clear(): void {
    this.requested = null;
    if (this.view.state.field(field, false)) this.show(null);
  }

  private show(link: { from: number; to: number } | null): void {
    this.view.dispatch({ effects: setLink.of(link) });
  }
}

/** F12, and a click with the modifier that opens links elsewhere. */
export function definition(): Extension {
  return [
    field,
    ViewPlugin.fromClass(LinkUnderPointer, {
      eventHandlers: {
        mousemove(event) {
          this.move(event);
        },
        mouseleave() {
          this.left();
        },
        mousedown(event, view) {
          if (event.button !== 0 || !held(event) || event.altKey || event.shiftKey) return false;
          const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (pos === null) return false;
          event.preventDefault();
          void gotoDefinition(view, pos);
          return true;
        },
      },
    }),
    keymap.of([{ key: "F12", run: (view) => (void gotoDefinition(view, view.state.selection.main.head), true) }]),
  ];
}
