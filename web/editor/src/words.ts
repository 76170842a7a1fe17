/** All texts of the editor, visible and for screen readers. */
export const words = {
  editor: (name: string) => (name ? `Editor, ${name}` : "Editor"),
  card: "About this place",
  nothing: "Nothing is known about this place",
  value: "Value",
  setBy: "Set by",
  plan: "Plan",
  effective: "in effect",
  replaced: "replaced",
  fix: "Fix",
  layer: (letter: string) => `layer ${letter}`,
  problemAt: (severity: string, message: string, line: number, n: number, of: number) =>
    `${severity}: ${message}. Line ${line}, ${n} of ${of}`,
  noProblem: "No further problem",
  more: (n: number) => `and ${n} more`,
  completions: "Completions",
  noDefinition: "No definition found",
  fold: "Fold",
  unfold: "Unfold",
  folded: "Folded lines",
  tab: {
    indents: { does: "Tab indents", note: "Esc, then Tab, leaves the editor" },
    passes: { does: "Tab leaves", note: "once you write, it indents" },
    leaves: { does: "Tab leaves", note: "the editor now" },
    moves: { does: "Tab leaves", note: "it never indents" },
  },
  tabSwitch: /Mac/.test(navigator.platform) ? "Switch what Tab does (⇧⌥M)" : "Switch what Tab does (Ctrl M)",
  tabRule:
    "Tab indents once you write. Escape, then Tab, leaves the editor. Control M, on a Mac Shift Option M, switches whether Tab indents.",
  find: "Find",
  replaceWith: "Replace with",
  matchCase: "Match case",
  wholeWord: "Whole word",
  regexp: "Regular expression",
  badPattern: "not a pattern",
  noMatch: "none",
  matches: (n: string, of: string) => `${n} of ${of}`,
  previous: "Previous match",
  next: "Next match",
  replace: "Replace",
  replaceAll: "Replace all",
  all: "All",
  close: "Close",
} as const;

/** The description of a merge rule, by its name. */
export const rules: Record<string, string> = {
  set: "set",
  deep: "merged by key",
  override: "wins",
  concatenate: "appended",
  replace: "replaces all",
  unique: "added once",
  by_key: "merged by item",
  reset: "!reset",
  inferred: "inferred",
  default: "default",
};

/** The symbol of a plan's action. */
export const actions: Record<string, string> = {
  create: "+",
  update: "~",
  rebuild: "±",
  destroy: "−",
};
