// The styles of what is drawn, as style sheets that all elements of a page share.
import adapter from "./styles/adapter.css";
import base from "./styles/base.css";
import editor from "./styles/editor.css";
import graph from "./styles/graph.css";
import plan from "./styles/plan.css";

/** The text of all styles. */
export const STYLES = [base, graph, plan, adapter, editor].join("\n");

let sheet;

/** Puts the styles into a shadow root, which a content security policy does not restrict. */
export function adopt(root) {
  sheet ??= made();
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

function made() {
  const it = new CSSStyleSheet();
  it.replaceSync(STYLES);
  return it;
}
