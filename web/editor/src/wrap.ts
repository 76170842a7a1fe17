import { type Extension, type Range } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const most = 24;

/** Continuation lines are indented by two columns more than the first line. */
function build(view: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (let pos = from; pos <= to; ) {
      const line = view.state.doc.lineAt(pos);
      const indent = Math.min(/^[ -]*/.exec(line.text)?.[0].length ?? 0, most) + 2;
      const style = `text-indent:-${indent}ch;padding-inline-start:calc(${indent}ch + 6px)`;
      found.push(Decoration.line({ attributes: { style } }).range(line.from));
      pos = line.to + 1;
    }
  }
  return Decoration.set(found, true);
}

class HangingIndent {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = build(view);
  }
  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.decorations = build(update.view);
  }
}

/** Wraps long lines, with a hanging indent, and saves room at the sides. */
export const wrapped: Extension = [
  EditorView.lineWrapping,
  EditorView.editorAttributes.of({ class: "pl-narrow" }),
  ViewPlugin.fromClass(HangingIndent, { decorations: (plugin) => plugin.decorations }),
];
