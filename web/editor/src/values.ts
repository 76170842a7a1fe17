// Generated from `crates/view/src/words.rs` by a test of that crate; do not edit.

export type MergeRule =
  | "set"
  | "deep"
  | "override"
  | "concatenate"
  | "replace"
  | "unique"
  | "by_key"
  | "reset"
  | "discard"
  | "inferred"
  | "default";

/** The effect of a merge rule. */
export const rules: Record<MergeRule, string> = {
  set: "set here",
  deep: "merged by key",
  override: "overrides",
  concatenate: "joined",
  replace: "replaces all",
  unique: "joined, each once",
  by_key: "merged by item",
  reset: "removed by `!reset`",
  discard: "discarded by the field's merge behavior",
  inferred: "implied",
  default: "default",
};

export type EdgeKind =
  | "depends_on"
  | "reference"
  | "attachment"
  | "link"
  | "version";

/** The phrase between a dependent and its dependency. */
export const edges: Record<EdgeKind, string> = {
  depends_on: "depends on",
  reference: "takes a value of",
  attachment: "is attached to",
  link: "is linked to",
  version: "runs",
};

export type Action =
  | "create"
  | "update"
  | "rebuild"
  | "destroy"
  | "no_op"
  | "forget"
  | "move";

/** What loses something comes first. */
export const actionsByRisk: readonly Action[] = [
  "destroy",
  "rebuild",
  "update",
  "create",
  "move",
  "forget",
  "no_op",
];

/** The symbol of a planned action. */
export const actions: Record<Action, string> = {
  create: "+",
  update: "~",
  rebuild: "±",
  destroy: "−",
  no_op: "=",
  forget: "⇄",
  move: "→",
};

/** The label of an action. */
export const actionLabels: Record<Action, string> = {
  create: "create",
  update: "update",
  rebuild: "rebuild",
  destroy: "destroy",
  no_op: "unchanged",
  forget: "forget",
  move: "rename",
};

/** The heading of a list of such actions. */
export const actionHeadings: Record<Action, string> = {
  create: "Create",
  update: "Update in place",
  rebuild: "Rebuild: destroy and create again",
  destroy: "Destroy",
  no_op: "Unchanged",
  forget: "Forget: it no longer exists",
  move: "Rename in the state: nothing else changes",
};

/** The description of a completed action. */
export const actionsPast: Record<Action, string> = {
  create: "created",
  update: "updated",
  rebuild: "rebuilt",
  destroy: "destroyed",
  no_op: "unchanged",
  forget: "forgotten",
  move: "renamed",
};

/** The description of a planned action. */
export const actionsFuture: Record<Action, string> = {
  create: "will be created",
  update: "will be updated in place",
  rebuild: "will be destroyed and created again",
  destroy: "will be destroyed",
  no_op: "stays as it is",
  forget: "will be forgotten",
  move: "will be renamed in the state",
};

/** The name of the colour of an action. */
export const actionTones: Record<Action, string> = {
  create: "create",
  update: "update",
  rebuild: "rebuild",
  destroy: "destroy",
  no_op: "unchanged",
  forget: "unchanged",
  move: "update",
};
