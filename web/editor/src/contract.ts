/**
 * What the app and the editor say to each other. The views are those of the `workspace` crate: lines and columns count
 * from 1, columns in characters (code points), never in UTF-16 units.
 */

/** A stretch of text; the end is the place after the last character. */
export interface Span {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** A stretch of a file. */
export interface LocationView extends Span {
  file: string;
}

/** A replacement of text. */
export interface EditView extends LocationView {
  new_text: string;
}

/** Another place that belongs to a problem. */
export interface RelatedView extends LocationView {
  message: string;
}

/** An edit that removes a problem. */
export interface FixView {
  title: string;
  /** When given, the card previews them. */
  edits?: EditView[];
}

/** `error`, `warning` or `hint`; anything else is shown as a hint. */
export type Severity = "error" | "warning" | "hint";

/**
 * One thing that is wrong. A problem that names another file than the one shown, or has no place, is not shown here but
 * keeps its index, so the whole list of diagnostics can be handed over.
 */
export interface ProblemView {
  file?: string | null;
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  severity: Severity;
  message: string;
  code: string;
  help?: string | null;
  fixes?: FixView[];
  related?: RelatedView[];
}

/** How a line stands to other layers. */
export interface LayerMark {
  line: number;
  /** `overridden`: a later layer wins; `overrides`: it wins over an earlier one. */
  kind: "overridden" | "overrides";
  /** The other layer's badge. */
  letter: string;
  /** Its colour, any CSS colour, e.g. `var(--layer-2)`. */
  color: string;
  /** A sentence about it. */
  title: string;
}

/** A layer's badge, shown beside its file name in cards. */
export interface Layer {
  file: string;
  letter: string;
  color: string;
}

/** One writer of a value. */
export interface HoverOriginView extends LocationView {
  rule: string;
  value: string;
}

/** What is known of a place. */
export interface HoverView {
  range: LocationView;
  pointer: string;
  title: string;
  doc: string;
  shape: string;
  value: string | null;
  origins: HoverOriginView[];
  plan: string | null;
  action: string | null;
}

/** Something that can be written at a place. */
export interface CompletionView {
  label: string;
  kind: "key" | "value" | "reference" | (string & {});
  detail: string;
  doc: string;
  edit: EditView;
}

/** What the editor asks and tells. Everything is optional. */
export interface Options {
  /** The person (or `applyEdits`, `undo`, `redo`) changed a text; `setDocument` does not report its own. */
  onChange?(name: string, text: string): void;
  onCursor?(line: number, column: number): void;
  provideHover?(line: number, column: number): Promise<HoverView | null>;
  provideCompletion?(line: number, column: number, explicit: boolean): Promise<CompletionView[]>;
  provideDefinition?(line: number, column: number): Promise<LocationView | null>;
  onGoto?(place: LocationView): void;
  /** A quick fix was chosen: indices into what `setProblems` got. */
  onApplyFix?(problem: number, fix: number): void;
  /** `palette`, `save`, `next-problem`, `previous-problem`; true when it was dealt with. */
  onCommand?(name: string): boolean | void;
  placeholder?: string;
  /** For browsers without constructible style sheets under a strict content security policy. */
  nonce?: string;
}

/** An open editor. */
export interface Handle {
  /** Shows a document, its history, selection and scroll position as they were left. */
  setDocument(name: string, text: string, options?: { resetHistory?: boolean }): void;
  renameDocument(from: string, to: string): void;
  dropDocument(name: string): void;
  getText(): string;
  setProblems(problems: ProblemView[]): void;
  setLayerMarks(marks: LayerMark[]): void;
  setLayers(layers: Layer[]): void;
  /** Puts the cursor at the start of a range, brings it into view and tints it until the next step. */
  revealRange(line: number, column: number, endLine: number, endColumn: number, options?: { focus?: boolean }): void;
  setTheme(theme: "light" | "dark"): void;
  setReadOnly(readOnly: boolean): void;
  undo(): boolean;
  redo(): boolean;
  /** Applies edits as one undo step; false, and nothing is changed, when they overlap. */
  applyEdits(edits: (Span & { new_text: string })[]): boolean;
  focus(): void;
  openSearch(): void;
  /** Goes to the next (1) or previous (-1) problem; false when there is none that way and the app was asked. */
  gotoNextProblem(direction: 1 | -1): boolean;
  /** Opens the card at the cursor and moves the focus into it; false when nothing is known there. */
  openCard(): Promise<boolean>;
  destroy(): void;
}
