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

export type Action =
  | "create"
  | "update"
  | "rebuild"
  | "destroy"
  | "no_op"
  | "forget"
  | "move";

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
