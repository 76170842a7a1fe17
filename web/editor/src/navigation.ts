import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { peekProblems } from "./card";
import { host } from "./host";
import { allProblems, problemsAt } from "./problems";
import { words } from "./words";

/**
 * Moves to the next or previous problem and shows it. After the last one the app is called, which may open another file;
 * if it does not, the search continues from the other end.
 */
export function gotoNextProblem(view: EditorView, direction: 1 | -1): boolean {
  const all = allProblems(view.state);
  const { head } = view.state.selection.main;
  const ahead = direction > 0 ? all.find((p) => p.from > head) : all.findLast((p) => p.from < head);
  if (!ahead) {
    const name = direction > 0 ? "next-problem" : "previous-problem";
    if (view.state.facet(host).options.onCommand?.(name)) return false;
  }
  const target = ahead ?? (direction > 0 ? all[0] : all.at(-1));
  if (!target) {
    view.dispatch({ effects: EditorView.announce.of(words.noProblem) });
    return false;
  }
  const line = view.state.doc.lineAt(target.from).number;
  const said = words.problemAt(target.view.severity, target.view.message, line, all.indexOf(target) + 1, all.length);
  view.dispatch({
    selection: { anchor: target.from },
    effects: [EditorView.scrollIntoView(target.from, { y: "nearest", yMargin: 96 }), EditorView.announce.of(said)],
    userEvent: "select",
  });
  peekProblems(view, target.from, problemsAt(view.state, target.from, target.from));
  return true;
}

/** The keys that belong to the app, and F8. */
export function appKeys(): Extension {
  const command = (name: string) => (view: EditorView) => {
    view.state.facet(host).options.onCommand?.(name);
    return true;
  };
  return keymap.of([
    { key: "F8", run: (view) => (gotoNextProblem(view, 1), true), shift: (view) => (gotoNextProblem(view, -1), true) },
    { key: "F2", run: command("rename") },
    { key: "Shift-F12", run: command("references") },
    { key: "Mod-Shift-o", run: command("outline") },
    { key: "Shift-Alt-f", run: command("format") },
    { key: "Mod-k", run: command("palette") },
    { key: "Mod-s", run: command("save") },
  ]);
}
