import {
  type EditorState,
  type Extension,
  type Range,
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter, WidgetType } from "@codemirror/view";
import type { ProblemView, Severity, Span } from "./contract";
import { el } from "./dom";
import { severityIcon } from "./icons";
import { toRange } from "./position";

/** A problem at its current position. */
export interface Problem {
  from: number;
  to: number;
  /** Its index in the problems of `setProblems`. */
  index: number;
  view: ProblemView;
}

interface Problems {
  marks: DecorationSet;
  icons: RangeSet<ProblemIcon>;
  /** The text has not changed since they were found, so their edits still apply. */
  fresh: boolean;
}

const rank = { error: 0, warning: 1, hint: 2 };

/** Replaces the problems of the file that is shown. */
export const setProblems = StateEffect.define<{ file: string; problems: ProblemView[] }>();

const field = StateField.define<Problems>({
  create: () => ({ marks: Decoration.none, icons: RangeSet.empty, fresh: true }),
  update(value, tr) {
    let next = value;
    if (tr.docChanged) {
      next = { marks: value.marks.map(tr.changes), icons: value.icons.map(tr.changes), fresh: false };
    }
    for (const effect of tr.effects) if (effect.is(setProblems)) next = build(tr.state.doc, effect.value);
    return next;
  },
  provide: (self) => EditorView.decorations.from(self, (value) => value.marks),
});

function build(doc: Text, { file, problems }: { file: string; problems: ProblemView[] }): Problems {
  const here = problems.map((view, index) => locate(doc, view, index, file)).filter((found) => found !== null);
  const marks = Decoration.set(here.map((problem) => mark(doc, problem)), true);
  return { marks, icons: buildIcons(doc, here), fresh: true };
}

function locate(doc: Text, view: ProblemView, index: number, file: string): Problem | null {
  if (view.line == null || view.column == null || (view.file != null && view.file !== file)) return null;
  const span: Span = {
    line: view.line,
    column: view.column,
    end_line: view.end_line ?? view.line,
    end_column: view.end_column ?? view.column,
  };
  return { ...toRange(doc, span), index, view: { ...view, severity: severity(view) } };
}

/** An unknown severity is a hint. */
function severity(view: ProblemView): Severity {
  return view.severity in rank ? view.severity : "hint";
}

/** Underlines at least one character; on an empty line, a point. */
function mark(doc: Text, problem: Problem): Range<Decoration> {
  const spec = { problem: { index: problem.index, view: problem.view } };
  const name = `pl-problem pl-problem-${problem.view.severity}`;
  const line = doc.lineAt(problem.from);
  let { from, to } = problem;
  if (from === to && line.length > 0) {
    if (to < line.to) to = line.from + nextCharacter(line.text, to - line.from);
    else from = line.from + previousCharacter(line.text, from - line.from);
  }
  if (from === to) return Decoration.widget({ ...spec, widget: new Point(name), side: 1 }).range(from);
  return Decoration.mark({ ...spec, class: name }).range(from, to);
}

function nextCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

function previousCharacter(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  return at - (low >= 0xdc00 && low <= 0xdfff && at > 1 ? 2 : 1);
}

class Point extends WidgetType {
  constructor(readonly name: string) {
    super();
  }
  override eq(other: Point): boolean {
    return other.name === this.name;
  }
  toDOM(): HTMLElement {
    return el("span", { class: `${this.name} pl-problem-point` }, " ");
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

class ProblemIcon extends GutterMarker {
  constructor(
    readonly severity: Severity,
    readonly message: string,
    readonly count: number,
  ) {
    super();
  }
  override eq(other: ProblemIcon): boolean {
    return other.severity === this.severity && other.message === this.message && other.count === this.count;
  }
  override toDOM(): HTMLElement {
    const label = `${this.severity}: ${this.message}${this.count > 1 ? ` (${this.count})` : ""}`;
    return el(
      "span",
      { class: "pl-problem-icon", role: "img", "aria-label": label },
      severityIcon(this.severity),
      el("span", { class: "pl-hidden" }, this.severity),
    );
  }
}

/** One icon a line: its worst problem's. */
function buildIcons(doc: Text, problems: Problem[]): RangeSet<ProblemIcon> {
  const lines = new Map<number, Problem[]>();
  for (const problem of problems) {
    const start = doc.lineAt(problem.from).from;
    const line = lines.get(start);
    if (line) line.push(problem);
    else lines.set(start, [problem]);
  }
  const builder = new RangeSetBuilder<ProblemIcon>();
  for (const [start, line] of [...lines].sort(([a], [b]) => a - b)) {
    const worst = line.reduce((a, b) => (rank[b.view.severity] < rank[a.view.severity] ? b : a));
    builder.add(start, start, new ProblemIcon(worst.view.severity, worst.view.message, line.length));
  }
  return builder.finish();
}

/** The problems that touch a range, worst first. */
export function problemsAt(state: EditorState, from: number, to: number): Problem[] {
  const found: Problem[] = [];
  state.field(field).marks.between(from, to, (start, end, deco) => {
    const { index, view } = deco.spec["problem"] as { index: number; view: ProblemView };
    found.push({ from: start, to: end, index, view });
  });
  return found.sort((a, b) => rank[a.view.severity] - rank[b.view.severity] || a.from - b.from || a.index - b.index);
}

/** All problems in the order of the text. */
export function allProblems(state: EditorState): Problem[] {
  return problemsAt(state, 0, state.doc.length).sort((a, b) => a.from - b.from || a.index - b.index);
}

/** The same problem among those that are shown now. */
export function findAgain(state: EditorState, { from, to, view }: Problem): Problem | undefined {
  const here = problemsAt(state, from, to);
  return here.find((other) => other.view.code === view.code && other.view.message === view.message);
}

/** Whether the problems belong to the current text. */
export function problemsAreFresh(state: EditorState): boolean {
  return state.field(field).fresh;
}

/** Underlines, and a gutter that calls `open` with the start of a line whose icon was clicked. */
export function problems(open: (view: EditorView, line: number) => void): Extension {
  return [
    field,
    gutter({
      class: "pl-gutter-problems",
      markers: (view) => view.state.field(field).icons,
      initialSpacer: () => new ProblemIcon("hint", "", 1),
      domEventHandlers: {
        mousedown(view, line, event) {
          if (!(event.target as Element).closest(".pl-problem-icon")) return false;
          open(view, line.from);
          return true;
        },
      },
    }),
  ];
}
