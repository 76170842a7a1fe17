import { type Extension, StateEffect } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { untilNextStep } from "./host";

const setRevealed = StateEffect.define<{ from: number; to: number } | null>();
const tint = Decoration.mark({ class: "pl-revealed" });
const line = Decoration.line({ class: "pl-revealed-line" });

const field = untilNextStep<{ from: number; to: number }>(setRevealed, (self) =>
  EditorView.decorations.compute([self, "doc"], (state) => {
    const range = state.field(self);
    if (!range) return Decoration.none;
    const marks = [line.range(state.doc.lineAt(range.from).from)];
    if (range.to > range.from) marks.push(tint.range(range.from, range.to));
    return Decoration.set(marks, true);
  }),
);

/** Puts the cursor at the start of a range, brings it into view and tints it until the next step. */
export function reveal(view: EditorView, from: number, to: number): void {
  const y = isVisible(view, from) ? "nearest" : "center";
  view.dispatch({
    selection: { anchor: from },
    effects: [EditorView.scrollIntoView(from, { y, yMargin: 24 }), setRevealed.of({ from, to })],
  });
}

function isVisible(view: EditorView, pos: number): boolean {
  const { top, height } = view.scrollDOM.getBoundingClientRect();
  const block = view.lineBlockAt(pos);
  const y = block.top + view.documentTop;
  return y >= top && y + block.height <= top + height;
}

/** The tint of a revealed range. */
export function revealed(): Extension {
  return field;
}
