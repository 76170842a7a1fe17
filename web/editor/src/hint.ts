import type { Extension } from "@codemirror/state";
import { Prec } from "@codemirror/state";
import { type EditorView, keymap, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { el } from "./dom";
import { words } from "./words";

const leaving = 5000;
const shown = 12_000;
const enters = ["Tab", "F6"];

/** The id of the sentence that describes the editor to who cannot see the hint. */
export const leavingId = "pl-leaving";

/** Says how the keyboard gets out of the editor: on entering it by key, on every Tab pressed inside, and after Escape. */
class TabHint implements PluginValue {
  private readonly dom = el("div", { class: "pl-tab-hint", role: "status" });
  private readonly said = el("span", { id: leavingId, class: "pl-hidden" }, words.leaving);
  private timer = 0;
  private byKey = false;
  private leavesUntil = 0;
  private readonly pressed = (event: KeyboardEvent) => {
    this.byKey = enters.includes(event.key);
  };
  private readonly pointed = () => {
    this.byKey = false;
  };

  constructor(view: EditorView) {
    view.dom.append(this.dom, this.said);
    document.addEventListener("keydown", this.pressed, true);
    document.addEventListener("pointerdown", this.pointed, true);
  }

  focused(): void {
    if (this.byKey) this.show(words.tab, shown);
  }

  /** Tab wrote spaces, which who wanted to go on did not ask for. */
  stayed(): void {
    if (Date.now() > this.leavesUntil) this.show(words.tab, shown);
  }

  blurred(): void {
    this.leavesUntil = 0;
    this.hide();
  }

  /** Escape was pressed with nothing else to do: Tab leaves for a while. */
  leave(view: EditorView): void {
    view.setTabFocusMode(leaving);
    this.leavesUntil = Date.now() + leaving;
    this.show(words.tabNow, leaving);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged && update.transactions.some((tr) => tr.isUserEvent("input.type"))) this.hide();
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.dom.remove();
    this.said.remove();
    document.removeEventListener("keydown", this.pressed, true);
    document.removeEventListener("pointerdown", this.pointed, true);
  }

  private show(parts: readonly string[], time: number): void {
    const nodes = parts.map((part) => (/^\w+$/.test(part) ? el("kbd", {}, part) : part));
    this.dom.replaceChildren(...nodes);
    this.dom.classList.add("pl-tab-hint-shown");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.hide(), time);
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.dom.classList.remove("pl-tab-hint-shown");
  }
}

const plugin = ViewPlugin.fromClass(TabHint, {
  eventHandlers: {
    focus() {
      this.focused();
    },
    blur() {
      this.blurred();
    },
    keydown(event) {
      if (event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey) this.stayed();
    },
  },
});

/** Escape then Tab leaves the editor, and a hint that says so. */
export function tabHint(): Extension {
  const run = (view: EditorView) => {
    view.plugin(plugin)?.leave(view);
    return true;
  };
  return [plugin, Prec.lowest(keymap.of([{ key: "Escape", run }]))];
}
