import { type Extension, Prec, StateEffect } from "@codemirror/state";
import { closeHoverTooltips, EditorView, hoverTooltip, keymap, type Rect, showTooltip, type Tooltip, tooltips } from "@codemirror/view";
import { hoverParts, problemParts } from "./card_parts";
import type { HoverView } from "./contract";
import { el } from "./dom";
import { host, untilNextStep } from "./host";
import { toPlace, toRange } from "./position";
import { type Problem, problemsAt } from "./problems";
import { words } from "./words";

/** The content of a card that the user opened by key or touch. */
interface Card {
  pos: number;
  problems: Problem[];
  hover: HoverView | null;
  /** Where the focus goes: into the card, to its first fix, or nowhere. */
  focus: "card" | "fix" | null;
}

const edge = 8;
const setCard = StateEffect.define<Card | null>();

const field = untilNextStep<Card>(setCard, (self) =>
  showTooltip.from(self, (card) => card && { pos: card.pos, above: true, create: (view) => cardView(view, card) }),
);

function cardView(view: EditorView, card: Card) {
  const known = view.state.facet(host);
  const parts = problemParts(known, view, card.problems);
  if (card.hover) parts.push(...hoverParts(known, card.hover));
  const dom = frame(parts);
  if (card.focus) {
    dom.tabIndex = -1;
    dom.setAttribute("role", "dialog");
    dom.addEventListener("keydown", (event) => walk(view, dom, event));
    dom.addEventListener("focusout", (event) => leave(view, dom, event));
  }
  const mount = () => focusInto(dom, card.focus);
  return { dom, mount };
}

/** The container of the parts; also used for hovers of the pointer. */
function frame(parts: HTMLElement[]): HTMLElement {
  return el("div", { class: "pl-card", role: "tooltip", "aria-label": words.card }, ...parts);
}

function focusInto(dom: HTMLElement, focus: Card["focus"]): void {
  const target = focus === "fix" ? dom.querySelector<HTMLElement>(".pl-fix") : null;
  if (focus) requestAnimationFrame(() => (target ?? dom).focus({ preventScroll: true }));
}

/** Tab and the arrows walk the links and buttons in a ring; Escape returns to the text. */
function walk(view: EditorView, dom: HTMLElement, event: KeyboardEvent): void {
  if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    closeCard(view);
    view.focus();
    return;
  }
  const step = { Tab: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const stops = [...dom.querySelectorAll<HTMLElement>("button")];
  if (stops.length === 0) return;
  const now = stops.indexOf(focused(dom) as HTMLElement);
  const next = now < 0 && step < 0 ? stops.length - 1 : (now + step + stops.length) % stops.length;
  stops[next]?.focus();
}

function focused(dom: HTMLElement): Element | null {
  return (dom.getRootNode() as Document | ShadowRoot).activeElement;
}

function leave(view: EditorView, dom: HTMLElement, event: FocusEvent): void {
  if (event.relatedTarget instanceof Node && dom.contains(event.relatedTarget)) return;
  // A lost focus is also what removing the card looks like; that must not start another update.
  requestAnimationFrame(() => {
    if (dom.isConnected && !dom.contains(focused(dom)) && document.hasFocus()) closeCard(view);
  });
}

/** Closes a card that the user opened. */
export function closeCard(view: EditorView): boolean {
  if (!view.state.field(field)) return false;
  view.dispatch({ effects: setCard.of(null) });
  return true;
}

/** Closes all cards and tooltips. */
export function closeAll(view: EditorView): void {
  view.dispatch({ effects: [setCard.of(null), closeHoverTooltips] });
}

/** Shows a card instead of a card that the pointer opened, which would have the same content. */
function show(view: EditorView, card: Card): void {
  view.dispatch({ effects: [setCard.of(card), closeHoverTooltips] });
}

/** Shows the problems at a position, without moving the focus and without a request to the app. */
export function peekProblems(view: EditorView, pos: number, problems: Problem[]): void {
  show(view, { pos, problems, hover: null, focus: null });
}

/** Requests the hover at the cursor and opens the card; false if there is none or the text has changed. */
export async function openCard(view: EditorView, focus: Card["focus"] = "card"): Promise<boolean> {
  const state = view.state;
  const pos = state.selection.main.head;
  const hover = await requestHover(view, pos);
  if (view.state.doc !== state.doc || view.state.selection.main.head !== pos) return false;
  const problems = problemsAt(view.state, pos, pos);
  if (!hover && problems.length === 0) {
    view.dispatch({ effects: EditorView.announce.of(words.nothing) });
    return false;
  }
  const start = hover ? toRange(state.doc, hover.range).from : pos;
  show(view, { pos: Math.min(start, pos), problems, hover, focus });
  return true;
}

/** Opens the card of the first word of a line. */
export function openLineCard(view: EditorView, lineStart: number): void {
  const line = view.state.doc.lineAt(lineStart);
  const [first] = problemsAt(view.state, line.from, line.to).sort((a, b) => a.from - b.from);
  const indent = /^[\s-]*/.exec(line.text)?.[0].length ?? 0;
  view.dispatch({ selection: { anchor: first?.from ?? line.from + indent } });
  void openCard(view);
}

/** What is known of a place; null where there is nobody to ask. */
export async function requestHover(view: EditorView, pos: number): Promise<HoverView | null> {
  const { options } = view.state.facet(host);
  if (!options.provideHover) return null;
  const { line, column } = toPlace(view.state.doc, pos);
  return (await options.provideHover(line, column).catch(() => null)) ?? null;
}

function hoverProblems(view: EditorView, pos: number): Tooltip | null {
  if (view.state.field(field)) return null;
  const found = problemsAt(view.state, pos, pos);
  const [first] = found;
  if (!first) return null;
  const create = () => ({ dom: frame(problemParts(view.state.facet(host), view, found)) });
  return { pos: first.from, end: first.to, above: true, create };
}

async function hoverKnown(view: EditorView, pos: number): Promise<Tooltip | null> {
  const { doc } = view.state;
  const hover = view.state.field(field) ? null : await requestHover(view, pos);
  if (!hover || view.state.doc !== doc || view.state.field(field)) return null;
  const { from, to } = toRange(doc, hover.range);
  const create = () => ({ dom: frame(hoverParts(view.state.facet(host), hover)) });
  return { pos: Math.min(from, pos), end: Math.max(to, pos), above: true, create };
}

/** Cards keep a distance from the edges of the window. */
function spaceForCards(view: EditorView): Rect {
  const { clientWidth, clientHeight } = view.dom.ownerDocument.documentElement;
  return { left: edge, top: edge, right: clientWidth - edge, bottom: clientHeight - edge };
}

/** Cards: under the pointer after a moment; at the cursor by key, with the focus inside; by touch on a problem. */
export function cards(): Extension {
  const settings = { hoverTime: 350, hideOnChange: true };
  return [
    field,
    tooltips({ position: "fixed", tooltipSpace: spaceForCards }),
    hoverTooltip(hoverProblems, settings),
    hoverTooltip(hoverKnown, settings),
    EditorView.domEventHandlers({
      click(event, view) {
        if ((event as PointerEvent).pointerType !== "touch") return false;
        const pos = view.posAtCoords(event);
        const found = pos === null ? [] : problemsAt(view.state, pos, pos);
        if (found[0]) peekProblems(view, found[0].from, found);
        return false;
      },
    }),
    Prec.high(
      keymap.of([
        { key: "F1", run: (view) => (void openCard(view), true) },
        { key: "Alt-F1", run: (view) => (void openCard(view), true) },
        { key: "Mod-.", run: (view) => (void openCard(view, "fix"), true) },
        { key: "Escape", run: closeCard },
      ]),
    ),
  ];
}
