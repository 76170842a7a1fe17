import type { Extension } from "@codemirror/state";
import { Prec } from "@codemirror/state";
import { type EditorView, keymap, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { el } from "./dom";
import { words } from "./words";

const leaving = 5000;
const shown = 6000;

/** Says how the keyboard gets out of the editor: on entering it by Tab, on the first Tab pressed inside, and after Escape. */
class TabHint implements PluginValue {
  private readonly dom = el("div", { class: "pl-tab-hint", role: "status" });
  private timer = 0;
  private byTab = false;
  private readonly pressed = (event: KeyboardEvent) => {
    this.byTab = event.key === "Tab";
  };
  private readonly pointed = () => {
    this.byTab = false;
  };

  constructor(view: EditorView) {
    view.dom.append(this.dom);
    document.addEventListener("keydown", this.pressed, true);
    document.addEventListener("pointerdown", this.pointed, true);
  }

  focused(): void {
    if (this.byTab) this.show(words.tab, shown);
  }

  blurred(): void {
    this.hide();
  }

  /** Escape was pressed with nothing else to do: Tab leaves for a while. */
  leave(view: EditorView): void {
    view.setTabFocusMode(leaving);
    this.show(words.tabNow, leaving);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged && update.transactions.some((tr) => tr.isUserEvent("input.type"))) this.hide();
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.dom.remove();
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
