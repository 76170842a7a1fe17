import { indentMore, indentLess } from "@codemirror/commands";
import { indentService, indentUnit, syntaxTree } from "@codemirror/language";
import { EditorSelection, type EditorState, type Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

const unit = 2;
const blockHeader = /(?:^|[\s:-])[|>][-+\d]*$/;

/**
 * The column at which a line goes on after a break behind `before`. `block`: the break is inside a block scalar.
 */
export function indentAfter(before: string, block: boolean): number {
  const lead = /^\s*/.exec(before)?.[0].length ?? 0;
  if (block) return lead;
  const content = /^\s*(?:-\s+)*/.exec(before)?.[0].length ?? lead;
  const text = before.replace(/(^|\s)#.*$/, "").trimEnd();
  if (/[:?]$/.test(text)) return content + unit;
  if (blockHeader.test(text)) return (/:\s*\S*$/.test(text) ? content : lead) + unit;
  if (/[[{]$/.test(text)) return lead + unit;
  // A map in a list goes on below its first key; a plain item is followed by the next dash.
  return /^\s*(?:-\s+)+[^\s"'[{].*?:(\s|$)/.test(text) ? content : lead;
}

const service = indentService.of((context, pos) => {
  const line = context.state.doc.lineAt(pos);
  const own = /^\s*/.exec(line.text)?.[0].length ?? 0;
  // Without a break to be made, moving a line would change what the YAML means: leave it where it is.
  if (context.simulatedBreak === null) return own;
  const before = line.text.slice(0, pos - line.from);
  if (!before.trim()) return own;
  return indentAfter(before, insideBlock(context.state, pos));
});

function insideBlock(state: EditorState, pos: number): boolean {
  return syntaxTree(state).resolveInner(pos, -1).name === "BlockLiteralContent";
}

/** Tab: lines of a selection move in by one step; at a cursor, spaces up to the next step. */
function tab(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  if (state.selection.ranges.some((range) => !range.empty)) return indentMore(view);
  const change = state.changeByRange((range) => {
    const line = state.doc.lineAt(range.head);
    const insert = " ".repeat(unit - ((range.head - line.from) % unit));
    return { changes: { from: range.head, insert }, range: EditorSelection.cursor(range.head + insert.length) };
  });
  view.dispatch(change, { userEvent: "input", scrollIntoView: true });
  return true;
}

/** Two spaces, new lines where YAML goes on, and Tab. */
export function indentation(): Extension {
  return [
    indentUnit.of(" ".repeat(unit)),
    service,
    keymap.of([{ key: "Tab", run: tab, shift: (view) => !view.state.readOnly && indentLess(view) }]),
  ];
}
