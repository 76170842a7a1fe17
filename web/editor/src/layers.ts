import { type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, ViewPlugin, type ViewUpdate, WidgetType, gutter } from "@codemirror/view";
import { requestHover } from "./card";
import type { LayerMark } from "./contract";
import { el, setVariable } from "./dom";

/** Replaces the marks of the file that is shown. */
export const setLayerMarks = StateEffect.define<LayerMark[]>();

const field = StateField.define<RangeSet<Bars>>({
  create: () => RangeSet.empty,
  update(value, tr) {
    let next = tr.docChanged ? value.map(tr.changes) : value;
    for (const effect of tr.effects) if (effect.is(setLayerMarks)) next = build(tr.state.doc, effect.value);
    return next;
  },
});

interface Bar extends LayerMark {
  /** The letter is shown on the first of consecutive lines with the same mark. */
  first: boolean;
  last: boolean;
}

class Bars extends GutterMarker {
  constructor(readonly bars: Bar[]) {
    super();
  }
  override eq(other: Bars): boolean {
    return JSON.stringify(other.bars) === JSON.stringify(this.bars);
  }
  override toDOM(): HTMLElement {
    const title = this.bars.map((bar) => bar.title).join("\n");
    const node = el("span", { class: "pl-layer", title });
    const letters = this.bars.map((bar) => colored("pl-letter", bar, bar.first ? bar.letter : ""));
    const bars = this.bars.map((bar) => colored(barClass(bar), bar));
    node.append(...letters, ...bars);
    return node;
  }
}

function barClass({ kind, first, last }: Bar): string {
  return `pl-bar pl-bar-${kind}${first ? " pl-bar-first" : ""}${last ? " pl-bar-last" : ""}`;
}

function colored(name: string, bar: Bar, text = ""): HTMLElement {
  const node = el("span", { class: name }, text);
  setVariable(node, "--layer", bar.color);
  return node;
}

function build(doc: Text, marks: LayerMark[]): RangeSet<Bars> {
  const lines = new Map<number, LayerMark[]>();
  for (const mark of marks) {
    if (mark.line < 1 || mark.line > doc.lines) continue;
    const line = lines.get(mark.line);
    if (line) line.push(mark);
    else lines.set(mark.line, [mark]);
  }
  const builder = new RangeSetBuilder<Bars>();
  for (const [line, here] of [...lines].sort(([a], [b]) => a - b)) {
    const start = doc.line(line).from;
    const goesOn = (mark: LayerMark, at: number) => lines.get(at)?.some((other) => same(other, mark)) ?? false;
    const bars = dedupe(here).map((mark) => ({ ...mark, first: !goesOn(mark, line - 1), last: !goesOn(mark, line + 1) }));
    builder.add(start, start, new Bars(bars));
  }
  return builder.finish();
}

/** At most one hollow and one filled bar per line; their titles are concatenated. */
function dedupe(marks: LayerMark[]): LayerMark[] {
  const kept: LayerMark[] = [];
  for (const mark of marks) {
    const twin = kept.find((other) => other.kind === mark.kind);
    if (!twin) kept.push({ ...mark });
    else if (!twin.title.includes(mark.title)) twin.title += `\n${mark.title}`;
  }
  return kept.sort((a, b) => a.kind.localeCompare(b.kind));
}

function same(a: LayerMark, b: LayerMark): boolean {
  return a.kind === b.kind && a.letter === b.letter;
}

/** How long the cursor rests before it is asked what a change there does, in milliseconds. */
const REST = 400;

const setEffect = StateEffect.define<string>();

/** What a change of the value with the cursor does; it is asked for once the cursor rests. */
const effect = StateField.define<string>({
  create: () => "",
  update(value, tr) {
    for (const effect of tr.effects) if (effect.is(setEffect)) return effect.value;
    return tr.docChanged || tr.selection ? "" : value;
  },
});

const effectQuestion = ViewPlugin.fromClass(
  class {
    timer: ReturnType<typeof setTimeout> | undefined;
    update({ docChanged, selectionSet, view }: ViewUpdate): void {
      if (!docChanged && !selectionSet) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void ask(view), REST);
    }
    destroy(): void {
      clearTimeout(this.timer);
    }
  },
);

async function ask(view: EditorView): Promise<void> {
  const { state } = view;
  const head = state.selection.main.head;
  const said = (await requestHover(view, head))?.effect ?? "";
  if (said !== "" && view.state.doc === state.doc && view.state.selection.main.head === head) {
    view.dispatch({ effects: setEffect.of(said) });
  }
}

/**
 * What stands at the end of the line with the cursor: that a later layer wins, so that what is written there has no effect,
 * or what a change there does to what is deployed.
 */
class LineNote extends WidgetType {
  constructor(readonly said: string) {
    super();
  }
  override eq(other: LineNote): boolean {
    return other.said === this.said;
  }
  override toDOM(): HTMLElement {
    return el("span", { class: "pl-overridden" }, this.said);
  }
}

const lineNote = EditorView.decorations.compute([field, effect, "selection", "doc"], (state) => {
  const line = state.doc.lineAt(state.selection.main.head);
  let said = state.field(effect);
  state.field(field).between(line.from, line.from, (_, __, marker) => {
    said = marker.bars.find(({ kind }) => kind === "overridden")?.title ?? said;
  });
  if (said === "") return Decoration.none;
  return Decoration.set([Decoration.widget({ widget: new LineNote(said), side: 1 }).range(line.to)]);
});

/** A gutter of bars: hollow where a later layer wins, filled where this one wins. A click calls `open`. */
export function layers(open: (view: EditorView, line: number) => void): Extension {
  return [
    field,
    effect,
    effectQuestion,
    lineNote,
    gutter({
      class: "pl-gutter-layers",
      markers: (view) => view.state.field(field),
      initialSpacer: () => new Bars([]),
      domEventHandlers: {
        mousedown(view, line, event) {
          if (!(event.target as Element).closest(".pl-layer")) return false;
          open(view, line.from);
          return true;
        },
      },
    }),
  ];
}
