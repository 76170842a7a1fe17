import { syntaxTree } from "@codemirror/language";
import { type Extension, Prec, type Range } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const mark = (name: string) => Decoration.mark({ class: name });
const marks = {
  reference: mark("pl-ref"),
  bracket: mark("pl-ref-bracket"),
  escape: mark("pl-escape"),
  open: mark("pl-ref pl-ref-open"),
  tag: mark("pl-tag"),
  layerTag: mark("pl-tag pl-tag-layer"),
  number: mark("pl-number"),
  word: mark("pl-word"),
};

const references = /\$\$\{|\$\{([^}\n]*)(\})?/g;
const number = /^[-+]?(0x[\da-f]+|0o[0-7]+|(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?|\.inf|\.nan)$/i;
const word = /^(true|false|null|~)$/i;
const longestScalar = 64;

/** Tokens that the grammar does not distinguish: `${…}` paths, `$${` escapes, layer tags, numbers and words with a meaning. */
function build(view: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter(node) {
        const start = Math.max(node.from, from);
        const end = Math.min(node.to, to);
        switch (node.name) {
          case "Tag":
            found.push((/^!(reset|override)$/.test(view.state.sliceDoc(start, end)) ? marks.layerTag : marks.tag).range(start, end));
            break;
          case "Literal":
            if (node.matchContext(["Key"])) break;
            scalar(view, node.from, node.to, found);
            markReferences(view, start, end, found);
            break;
          case "QuotedLiteral":
          case "BlockLiteralContent":
            markReferences(view, start, end, found);
            break;
        }
      },
    });
  }
  return Decoration.set(found, true);
}

function scalar(view: EditorView, from: number, to: number, found: Range<Decoration>[]): void {
  if (to - from > longestScalar) return;
  const text = view.state.sliceDoc(from, to);
  if (number.test(text)) found.push(marks.number.range(from, to));
  else if (word.test(text)) found.push(marks.word.range(from, to));
}

function markReferences(view: EditorView, from: number, to: number, found: Range<Decoration>[]): void {
  for (const match of view.state.sliceDoc(from, to).matchAll(references)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (match[1] === undefined) {
      found.push(marks.escape.range(start, end));
      continue;
    }
    found.push((match[2] ? marks.reference : marks.open).range(start, end), marks.bracket.range(start, start + 2));
    if (match[2]) found.push(marks.bracket.range(end - 1, end));
  }
}

class YamlMarks {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = build(view);
  }
  update(update: ViewUpdate): void {
    const parsed = syntaxTree(update.state) !== syntaxTree(update.startState);
    if (update.docChanged || update.viewportChanged || parsed) this.decorations = build(update.view);
  }
}

/** Marks the tokens that have a meaning in descriptors. */
export function yamlMarks(): Extension {
  // The grammar's highlighting has high precedence, which puts it inside what has less.
  return Prec.highest(ViewPlugin.fromClass(YamlMarks, { decorations: (plugin) => plugin.decorations }));
}
