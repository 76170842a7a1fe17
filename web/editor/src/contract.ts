/**
 * The interface between the app and the editor. The views are those of the `workspace` crate: lines and columns count
 * from 1, columns in characters (code points), never in UTF-16 units.
 */

import type { Action, MergeRule } from "./values";

/** A range of text; the end is the position after the last character. */
export interface Span {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** A range in a file. */
export interface LocationView extends Span {
  file: string;
}

/** A replacement of text. */
export interface EditView extends LocationView {
  new_text: string;
}

/** Another location that belongs to a problem. */
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
 * A problem. A problem of another file than the one shown, or without a location, is not shown here but keeps its index,
 * so the complete list of diagnostics can be passed.
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

/** The relation of a line to other layers. */
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
  rule: MergeRule;
  value: string;
  /** Whether a later layer overrides it; absent for what is in effect. */
  shadowed?: boolean;
}

/** The hover of a position. */
export interface HoverView {
  range: LocationView;
  pointer: string;
  title: string;
  doc: string;
  shape: string;
  value: string | null;
  origins: HoverOriginView[];
  plan: string | null;
  action: Action | null;
  /** What a change of the value does to what is deployed. */
  effect?: string | null;
}

/** A completion at a position. */
export interface CompletionView {
  label: string;
  kind: "key" | "value" | "reference" | (string & {});
  detail: string;
  doc: string;
  edit: EditView;
}

/** The callbacks of the editor. All are optional. */
export interface Options {
  /** The user (or `applyEdits`, `undo`, `redo`) changed a text; `setDocument` does not report its own. */
  onChange?(name: string, text: string): void;
  /** The same change without the text, for an app that has it: CodeMirror's JSON form of a `ChangeSet`. */
  onEdit?(name: string, changes: unknown[]): void;
  onCursor?(line: number, column: number): void;
  provideHover?(line: number, column: number): Promise<HoverView | null>;
  provideCompletion?(line: number, column: number, explicit: boolean): Promise<CompletionView[]>;
  provideDefinition?(line: number, column: number): Promise<LocationView | null>;
  onGoto?(place: LocationView): void;
  /** A quick fix was chosen: indices into the problems of `setProblems`. */
  onApplyFix?(problem: number, fix: number): void;
  /**
   * `palette`, `save`, `rename`, `references`, `outline`, `format`, `next-problem`, `previous-problem`; true if the app handled it.
   */
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
  /** Goes to the next (1) or previous (-1) problem; false if there is none in that direction and the app was called. */
  gotoNextProblem(direction: 1 | -1): boolean;
  /** Opens the card at the cursor and moves the focus into it; false if there is no hover. */
  openCard(): Promise<boolean>;
  destroy(): void;
}
