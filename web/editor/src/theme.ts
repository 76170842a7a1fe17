import { EditorView } from "@codemirror/view";

const mono = `var(--font-mono, ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace)`;
const sans = "var(--font-ui, system-ui, -apple-system, 'Segoe UI', sans-serif)";
const raised = "var(--raised, var(--surface))";
const shadow = "var(--shadow, 0 1px 2px rgb(0 0 0 / .06), 0 8px 24px rgb(0 0 0 / .12))";
const mix = (color: string, percent: number) => `color-mix(in srgb, var(--${color}) ${percent}%, transparent)`;
const open = "pl-open 140ms ease-out";

const floating = {
  backgroundColor: raised,
  color: "var(--text)",
  border: "1px solid var(--line)",
  borderRadius: "6px",
  boxShadow: shadow,
};

const button = {
  font: "inherit",
  color: "inherit",
  background: "none",
  border: "1px solid transparent",
  borderRadius: "6px",
  padding: "0 6px",
  margin: "0",
  minHeight: "24px",
  cursor: "pointer",
};

const ring = { outline: "2px solid var(--accent)", outlineOffset: "1px" };

const frame = {
  "&": {
    "--code-key": "var(--syntax-key, var(--accent))",
    "--code-string": "var(--syntax-string, var(--text))",
    "--code-number": "var(--syntax-number, var(--create))",
    "--code-tag": "var(--syntax-tag, var(--rebuild))",
    "--code-anchor": "var(--syntax-anchor, var(--update))",
    position: "relative",
    height: "100%",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    fontSize: "12.5px",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: mono, lineHeight: "1.5", overscrollBehavior: "contain" },
  ".cm-content": { padding: "8px 0 40vh", caretColor: "var(--text)", fontVariantLigatures: "none" },
  ".cm-line": { padding: "0 16px 0 4px" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "1.5px solid var(--accent)" },
  ".cm-placeholder": { color: "var(--muted)", fontStyle: "italic" },
  ".cm-selectionBackground": { background: mix("accent", 16) },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: mix("accent", 26) },
  ".cm-activeLine": { backgroundColor: mix("text", 4) },
  ".cm-selectionMatch": { backgroundColor: mix("accent", 12), borderRadius: "3px" },
  ".cm-searchMatch": { backgroundColor: mix("update", 24), borderRadius: "3px" },
  ".cm-searchMatch-selected": { backgroundColor: mix("update", 48) },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: mix("accent", 16), borderRadius: "3px", outline: `1px solid ${mix("accent", 40)}` },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: mix("error", 14), borderRadius: "3px" },
  ".cm-specialChar": { color: "var(--error)" },
  ".pl-hidden": { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)", whiteSpace: "nowrap" },
  ".pl-icon": { width: "16px", height: "16px", fill: "none", stroke: "currentColor", strokeWidth: "1.5", strokeLinecap: "round", strokeLinejoin: "round", display: "block" },
  ".pl-icon.pl-error": { color: "var(--error)" },
  ".pl-icon.pl-warning": { color: "var(--warning)" },
  ".pl-icon.pl-hint": { color: "var(--hint)" },
};

const gutters = {
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none", fontFamily: mono },
  ".cm-gutterElement": { fontVariantNumeric: "tabular-nums" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "22px", padding: "0 2px" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ".pl-gutter-problems": { width: "20px" },
  ".pl-gutter-problems .cm-gutterElement": { display: "flex", justifyContent: "flex-end" },
  ".pl-problem-icon": { display: "grid", placeItems: "center", width: "18px", height: "1.5em", cursor: "pointer" },
  ".pl-problem-icon .pl-icon": { width: "13px", height: "13px" },
  ".pl-gutter-layers": { minWidth: "28px" },
  ".pl-layer": { display: "flex", justifyContent: "flex-end", height: "100%", cursor: "pointer" },
  ".pl-letter": { font: `600 10px/1.875 ${sans}`, color: "var(--layer)", marginLeft: "1px" },
  ".pl-bar": { boxSizing: "border-box", width: "4px", height: "100%", marginLeft: "2px", border: "0 solid var(--layer)" },
  ".pl-bar-overrides": { backgroundColor: "var(--layer)" },
  ".pl-bar-overridden": { borderWidth: "0 1px" },
  ".pl-bar-overridden.pl-bar-first": { borderTopWidth: "1px" },
  ".pl-bar-overridden.pl-bar-last": { borderBottomWidth: "1px" },
  ".cm-foldGutter .cm-gutterElement": { width: "14px" },
  "&.pl-narrow .cm-foldGutter": { display: "none !important" },
  "&.pl-narrow .cm-line": { padding: "0 8px 0 6px" },
  ".pl-fold": { display: "grid", placeItems: "center", height: "1.5em", color: "var(--muted)", cursor: "pointer" },
  ".pl-fold .pl-icon": { width: "12px", height: "12px" },
  ".pl-fold-open": { opacity: "0" },
  ".cm-gutters:hover .pl-fold-open": { opacity: "1" },
  ".pl-fold-placeholder": { ...button, minHeight: "0", padding: "0 5px", margin: "0 4px", lineHeight: "1.2", color: "var(--muted)", backgroundColor: mix("text", 7) },
  "@media (hover: none)": { ".pl-fold-open": { opacity: "1" } },
};

const wavy = (color: string) => ({
  textDecoration: `underline wavy var(--${color}) 1px`,
  textUnderlineOffset: "3px",
  textDecorationSkipInk: "none",
});

const text = {
  ".pl-problem-error": wavy("error"),
  ".pl-problem-warning": wavy("warning"),
  ".pl-problem-hint": { ...wavy("hint"), textDecorationStyle: "dotted", textDecorationThickness: "2px" },
  ".pl-problem-point": { whiteSpace: "pre" },
  ".pl-ref": { color: "var(--accent)", backgroundColor: mix("accent", 10), borderRadius: "3px" },
  ".pl-ref-open": { backgroundColor: mix("warning", 14) },
  ".pl-ref-bracket": { color: mix("accent", 70) },
  ".pl-escape": { color: "var(--muted)" },
  ".pl-tag": { color: "var(--code-tag)" },
  ".pl-tag-layer": { fontWeight: "600" },
  ".pl-number, .pl-word": { color: "var(--code-number)" },
  ".pl-goto": { textDecoration: "underline 1px", textUnderlineOffset: "3px", color: "var(--accent)", cursor: "pointer" },
  ".pl-revealed-line": { backgroundColor: mix("accent", 7) },
  ".pl-revealed": { backgroundColor: mix("accent", 18), borderRadius: "3px" },
};

const card = {
  ".cm-tooltip": { ...floating, fontFamily: sans, fontSize: "13px", lineHeight: "1.5", animation: open },
  ".cm-tooltip-section:not(:first-child)": { borderTop: "1px solid var(--line)" },
  ".pl-card": { boxSizing: "border-box", width: "max-content", minWidth: "240px", maxWidth: "min(460px, calc(100vw - 18px))", maxHeight: "min(360px, 60vh)", overflow: "auto", overscrollBehavior: "contain", outline: "none" },
  ".cm-tooltip-hover": { boxSizing: "border-box", width: "max-content", maxHeight: "min(420px, 60vh)", overflow: "auto" },
  ".cm-tooltip-hover .pl-card": { width: "auto", maxHeight: "none" },
  ".cm-tooltip.pl-card:focus": { borderColor: "var(--accent)", outline: "1px solid var(--accent)" },
  ".pl-card p, .pl-card pre, .pl-card ol, .pl-card h4": { margin: "0" },
  ".pl-card code, .pl-card pre, .pl-code, .pl-preview": { fontFamily: mono, fontSize: "12px" },
  ".pl-card p code, .pl-fix code": { backgroundColor: mix("text", 7), borderRadius: "3px", padding: "0 3px", fontSize: "0.92em" },
  ".pl-part": { padding: "8px 12px" },
  ".pl-part + .pl-part": { borderTop: "1px solid var(--line)" },
  ".pl-part-problem": { display: "grid", gridTemplateColumns: "16px 1fr auto", columnGap: "8px", alignItems: "start" },
  ".pl-part-problem > .pl-icon": { marginTop: "2px" },
  ".pl-message": { fontWeight: "600", overflowWrap: "anywhere" },
  ".pl-help": { color: "var(--muted)", overflowWrap: "anywhere" },
  ".pl-code": { color: "var(--muted)", fontSize: "11px", lineHeight: "19.5px" },
  ".pl-related": { display: "flex", flexWrap: "wrap", columnGap: "8px", color: "var(--muted)" },
  ".pl-fixes": { display: "grid", rowGap: "4px", marginTop: "6px" },
  ".pl-fix-row": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 10px" },
  ".pl-fix": { ...button, border: "1px solid var(--line)", padding: "1px 8px", backgroundColor: "var(--surface)", textAlign: "left" },
  ".pl-fix:hover": { borderColor: "var(--accent)", color: "var(--accent)" },
  ".pl-fix:focus-visible, .pl-link:focus-visible, .pl-button:focus-visible": ring,
  ".pl-preview": { display: "grid", overflowWrap: "anywhere" },
  ".pl-preview del": { color: "var(--destroy)", backgroundColor: mix("destroy", 10), borderRadius: "3px", padding: "0 3px", textDecorationThickness: "1px" },
  ".pl-preview ins": { color: "var(--create)", backgroundColor: mix("create", 10), borderRadius: "3px", padding: "0 3px", textDecoration: "none" },
  ".pl-title": { display: "flex", flexWrap: "wrap", alignItems: "baseline", columnGap: "10px" },
  ".pl-title strong": { fontFamily: mono, fontSize: "12.5px", fontWeight: "600", overflowWrap: "anywhere" },
  ".pl-shape": { color: "var(--muted)", fontSize: "12px" },
  ".pl-doc": { color: "var(--muted)", whiteSpace: "pre-line" },
  ".pl-part-row": { display: "grid", gridTemplateColumns: "44px 1fr", columnGap: "12px", alignItems: "baseline" },
  ".pl-part-row h4": { font: `400 12px/19.5px ${sans}`, color: "var(--muted)" },
  ".pl-value": { whiteSpace: "pre-wrap", overflowWrap: "anywhere", maxHeight: "120px", overflow: "auto" },
  ".pl-origins": { listStyle: "none", padding: "0", display: "grid", gridTemplateColumns: "auto auto auto minmax(0, 1fr)", columnGap: "8px", rowGap: "2px", alignItems: "baseline" },
  ".pl-origin": { display: "contents" },
  ".pl-origin > .pl-link:first-child": { gridColumn: "1 / span 2" },
  ".pl-origin code": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  ".pl-rule": { color: "var(--muted)", fontSize: "12px", whiteSpace: "nowrap" },
  ".pl-origin-effective code": { fontWeight: "600" },
  ".pl-origin-shadowed code": { color: "var(--muted)", textDecoration: "line-through" },
  ".pl-badge": { font: `600 10px/14px ${sans}`, alignSelf: "center", minWidth: "14px", height: "14px", textAlign: "center", borderRadius: "4px", color: "var(--on-layer, var(--surface))", backgroundColor: "var(--layer)" },
  ".pl-link": { font: "inherit", fontSize: "12px", fontFamily: mono, color: "var(--accent)", background: "none", border: "none", borderRadius: "3px", padding: "0", margin: "0", cursor: "pointer", textAlign: "left", whiteSpace: "nowrap" },
  ".pl-link:hover": { textDecoration: "underline 1px", textUnderlineOffset: "3px" },
  ".pl-plan": { display: "flex", columnGap: "6px" },
  ".pl-symbol": { fontFamily: mono, fontWeight: "600" },
  ".pl-action-create .pl-symbol": { color: "var(--create)" },
  ".pl-action-update .pl-symbol": { color: "var(--update)" },
  ".pl-action-rebuild": { color: "var(--rebuild)" },
  ".pl-action-destroy": { color: "var(--destroy)" },
  "@media (pointer: coarse)": {
    ".pl-fix": { minHeight: "36px" },
    ".pl-link": { minHeight: "28px" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { minHeight: "34px" },
  },
};

const completion = {
  ".cm-tooltip.cm-tooltip-autocomplete": { padding: "4px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: mono, fontSize: "12.5px", minWidth: "min(240px, 90vw)", maxWidth: "min(480px, calc(100vw - 16px))", maxHeight: "264px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", alignItems: "center", gap: "8px", minHeight: "24px", padding: "0 8px 0 4px", borderRadius: "4px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: mix("accent", 14), color: "var(--text)" },
  ".cm-tooltip-autocomplete-disabled ul li[aria-selected]": { backgroundColor: mix("text", 8), color: "var(--text)" },
  ".cm-completionLabel": { flex: "0 1 auto", overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)", fontWeight: "600" },
  ".cm-completionDetail": { flex: "1 1 auto", marginLeft: "16px", textAlign: "right", fontFamily: sans, fontSize: "12px", fontStyle: "normal", color: "var(--muted)", overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-tooltip.cm-completionInfo": { ...floating, padding: "8px 12px", maxWidth: "min(320px, 90vw)", marginTop: "-5px", animation: "none" },
  ".cm-completionInfo.cm-completionInfo-right": { marginLeft: "4px" },
  ".cm-completionInfo.cm-completionInfo-left": { marginRight: "4px" },
  ".cm-completionInfo p": { margin: "0", whiteSpace: "pre-line" },
  ".pl-glyph": { flex: "none", width: "16px", textAlign: "center", font: `600 11px/16px ${mono}`, color: "var(--muted)", borderRadius: "4px", backgroundColor: mix("text", 6) },
  ".pl-glyph-key": { color: "var(--code-key)" },
  ".pl-glyph-value": { color: "var(--code-number)" },
  ".pl-glyph-reference": { color: "var(--accent)" },
};

const panels = {
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--text)", fontFamily: sans, fontSize: "13px", zIndex: "20" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".pl-search": { display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: "4px", padding: "6px 8px" },
  ".pl-search-row": { display: "flex", alignItems: "center", gap: "4px" },
  ".pl-search-field": { display: "flex", alignItems: "center", flex: "0 1 320px", minWidth: "96px", border: "1px solid var(--line)", borderRadius: "6px", backgroundColor: "var(--bg, transparent)", paddingRight: "2px" },
  ".pl-search-field:focus-within": { borderColor: "var(--accent)", boxShadow: "0 0 0 1px var(--accent)" },
  ".pl-search-input": { flex: "1", minWidth: "0", height: "26px", boxSizing: "border-box", font: `12.5px ${mono}`, color: "inherit", background: "none", border: "none", outline: "none", padding: "0 8px" },
  ".pl-search-input::placeholder": { color: "var(--muted)", fontFamily: sans, opacity: "1" },
  ".pl-search-input[aria-invalid]": { color: "var(--error)" },
  ".pl-search-count": { flex: "none", minWidth: "56px", padding: "0 4px", color: "var(--muted)", fontSize: "12px", fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" },
  ".pl-button": { ...button, flex: "none", display: "inline-grid", placeItems: "center", minWidth: "26px", height: "26px" },
  ".pl-button:hover": { backgroundColor: mix("text", 7) },
  ".pl-search-toggle": { font: `11px ${mono}`, minWidth: "24px", height: "22px", minHeight: "22px", padding: "0 4px", borderRadius: "4px", color: "var(--muted)" },
  ".pl-search-toggle[aria-pressed=true]": { color: "var(--accent)", backgroundColor: mix("accent", 14) },
  ".cm-panel.cm-dialog": { display: "flex", alignItems: "center", gap: "8px", padding: "6px 8px", fontFamily: sans },
  ".cm-panel.cm-dialog label": { fontSize: "13px" },
  ".cm-textfield": { font: `12.5px ${mono}`, color: "inherit", backgroundColor: "var(--bg, transparent)", border: "1px solid var(--line)", borderRadius: "6px", height: "26px", padding: "0 8px" },
  ".cm-button": { ...button, backgroundImage: "none", border: "1px solid var(--line)" },
  ".pl-overridden": { marginLeft: "24px", color: "var(--muted)", fontStyle: "italic", fontSize: "12px", userSelect: "none" },
  ".pl-status": { display: "flex", alignItems: "center", minHeight: "24px", padding: "0 8px", color: "var(--muted)", fontSize: "12px" },
  ".pl-status-said": { display: "flex", alignItems: "center", gap: "4px", minWidth: "0" },
  ".pl-status-tab": { ...button, flex: "none", minHeight: "24px", padding: "0 4px", font: `600 12px/1.5 ${sans}`, color: "inherit" },
  ".pl-status-tab:hover": { backgroundColor: mix("text", 7) },
  ".pl-status-note": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
};

const modes = {
  "@keyframes pl-open": { from: { opacity: "0", transform: "translateY(2px)" }, to: { opacity: "1", transform: "none" } },
  "@media (prefers-reduced-motion: reduce)": {
    ".cm-tooltip": { animation: "none" },
    ".cm-cursorLayer": { animation: "none !important" },
  },
  "@media (prefers-contrast: more)": {
    ".cm-tooltip, .pl-fix, .pl-search-field": { borderColor: "var(--text)" },
    ".pl-problem-error, .pl-problem-warning": { textDecorationThickness: "2px" },
  },
  "@media (forced-colors: active)": {
    ".cm-tooltip-autocomplete ul li[aria-selected]": { outline: "2px solid Highlight", outlineOffset: "-2px" },
    ".pl-bar-overrides": { backgroundColor: "CanvasText", forcedColorAdjust: "none" },
    ".pl-ref, .pl-goto": { textDecoration: "underline" },
  },
};

/** How the editor looks. Every colour is one of the app's custom properties, so a change of theme needs nothing here. */
export const theme = EditorView.theme({ ...frame, ...gutters, ...text, ...card, ...completion, ...panels, ...modes });
