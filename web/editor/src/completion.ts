import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { type Extension, Prec } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { CompletionView } from "./contract";
import { el } from "./dom";
import { host } from "./host";
import { match } from "./match";
import { toPlace, toRange } from "./position";

/** While only such characters are added, the list is filtered here, without another request. */
const word = /^[\p{L}\p{N}_-]*$/u;

/** Typing requests completions after a letter of a word or anywhere inside an open `${`, never in a comment. */
const worthAsking = /[\p{L}\p{N}_]$|\$\{[^}\s]*$/u;
const comment = /(^|\s)#/;

async function source(context: CompletionContext): Promise<CompletionResult | null> {
  const { options } = context.state.facet(host);
  const before = context.state.doc.lineAt(context.pos);
  const text = before.text.slice(0, context.pos - before.from);
  if (!options.provideCompletion || (!context.explicit && (!worthAsking.test(text) || comment.test(text)))) return null;
  const { line, column } = toPlace(context.state.doc, context.pos);
  const found = await options.provideCompletion(line, column, context.explicit).catch(() => []);
  if (context.aborted || !found || found.length === 0) return null;
  return result(context, found);
}

/** All edits that start at one place and touch the cursor can be filtered while typing; others are shown unfiltered. */
function result(context: CompletionContext, found: CompletionView[]): CompletionResult {
  const ranges = found.map((view) => toRange(context.state.doc, view.edit));
  const from = ranges[0]?.from ?? context.pos;
  const together = ranges.every((range) => range.from === from && from <= context.pos && range.to >= context.pos);
  const options = found.map((view, n) => {
    const range = ranges[n] ?? { from, to: from };
    return option(view, together ? applyHere(view, range.to - context.pos) : applyThere(view, range));
  });
  if (!together) return { from: context.pos, options, filter: false };
  return fitting(options, from, context.state.sliceDoc(from, context.pos));
}

/** The options that match the typed text, best first; equal ones in the order of the app. */
function fitting(all: Completion[], from: number, typed: string): CompletionResult {
  const found = all
    .map((option) => ({ option, match: match(typed, option.label) }))
    .filter(({ match }) => match !== null)
    .sort((a, b) => (a.match?.score ?? 0) - (b.match?.score ?? 0));
  return {
    from,
    options: found.map(({ option }) => option),
    filter: false,
    getMatch: (option) => match(typed, option.label)?.ranges ?? [],
    update(_current, start, end, { state }) {
      const text = state.sliceDoc(start, end);
      return word.test(text.slice(typed.length)) && text.startsWith(typed) ? fitting(all, start, text) : null;
    },
  };
}

type Apply = NonNullable<Exclude<Completion["apply"], string>>;

function option(view: CompletionView, apply: Apply): Completion {
  return {
    label: view.label,
    type: view.kind,
    apply,
    ...(view.detail ? { detail: view.detail } : {}),
    ...(view.doc ? { info: () => el("p", {}, view.doc) } : {}),
  };
}

/** Replaces from the word's start to `rest` behind the cursor. */
function applyHere(view: CompletionView, rest: number): Apply {
  return (editor, completion, from, to) => write(editor, completion, view, from, Math.min(to + rest, editor.state.doc.length));
}

function applyThere(view: CompletionView, range: { from: number; to: number }): Apply {
  return (editor, completion) => write(editor, completion, view, range.from, range.to);
}

function write(editor: EditorView, completion: Completion, view: CompletionView, from: number, to: number): void {
  const insert = editor.state.toText(view.edit.new_text.replace(/\r\n/g, "\n"));
  editor.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    annotations: pickedCompletion.of(completion),
    userEvent: "input.complete",
    scrollIntoView: true,
  });
}

const glyphs: Record<string, string> = { key: ":", value: "=", reference: "$" };

function glyph(completion: Completion): Node {
  const kind = completion.type ?? "value";
  return el("span", { class: `pl-glyph pl-glyph-${kind}`, "aria-hidden": "true" }, glyphs[kind] ?? "·");
}

/** Completion of keys, values and `${…}` paths, and closing brackets. */
export function completion(): Extension {
  return [
    autocompletion({
      override: [source],
      icons: false,
      maxRenderedOptions: 60,
      addToOptions: [{ render: glyph, position: 20 }],
      tooltipClass: () => "pl-completion",
    }),
    closeBrackets(),
    yamlLanguage.data.of({ closeBrackets: { brackets: ["(", "[", "{", "'", '"'] } }),
    Prec.highest(keymap.of([{ key: "Tab", run: acceptCompletion }])),
    keymap.of([...closeBracketsKeymap, ...completionKeymap]),
  ];
}
