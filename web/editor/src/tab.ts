import { type Extension, Prec } from "@codemirror/state";
import { type EditorView, keymap, type Panel, showPanel, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { el } from "./dom";
import { words } from "./words";

/** How long Escape keeps Tab from writing, in milliseconds. */
const leaving = 5000;
const enters = ["Tab", "F6"];

/** The id of the sentence that describes the rule to users who cannot see the status line. */
export const tabRuleId = "pl-tab-rule";

/**
 * The effect of Tab. It indents while the user edits. It moves the focus if the editor was focused by key and not edited
 * yet, after Escape, and always if that option is on. The status line shows which applies, so the editor is no keyboard
 * trap.
 */
type Rule = "indents" | "passes" | "leaves" | "moves";

/** The choice outlives the documents of an editor, whose plugins do not. */
interface Choice {
  /** Tab never indents. */
  moves: boolean;
}

class TabRule {
  private rule: Rule;
  private timer = 0;
  private byKey = false;
  private gone = false;
  private panel: StatusLine | null = null;
  private readonly pressed = (event: KeyboardEvent) => {
    this.byKey = enters.includes(event.key);
  };
  private readonly pointed = () => {
    this.byKey = false;
  };

  constructor(
    readonly view: EditorView,
    private readonly choice: Choice,
  ) {
    this.rule = choice.moves ? "moves" : "indents";
    document.addEventListener("keydown", this.pressed, true);
    document.addEventListener("pointerdown", this.pointed, true);
    // The view is complete only then; the rule of a text that was shown before ends.
    queueMicrotask(() => !this.gone && this.set(this.rule));
  }

  show(panel: StatusLine): void {
    this.panel = panel;
    panel.say(this.rule);
  }

  focused(): void {
    if (this.byKey && this.rule === "indents") this.set("passes");
  }

  blurred(): void {
    this.set(this.choice.moves ? "moves" : "indents");
  }

  /** Escape had no other effect: for a limited time, Tab moves the focus. */
  leave(): void {
    if (this.rule === "moves") return;
    this.set("leaves");
    this.timer = window.setTimeout(() => this.set("indents"), leaving);
  }

  toggle(): void {
    this.choice.moves = !this.choice.moves;
    this.set(this.choice.moves ? "moves" : "indents");
  }

  update(update: ViewUpdate): void {
    const typed = update.docChanged && update.transactions.some((tr) => tr.isUserEvent("input") || tr.isUserEvent("delete"));
    if (typed && this.rule !== "moves" && this.rule !== "indents") this.set("indents");
  }

  destroy(): void {
    this.gone = true;
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.pressed, true);
    document.removeEventListener("pointerdown", this.pointed, true);
  }

  private set(rule: Rule): void {
    clearTimeout(this.timer);
    this.rule = rule;
    this.view.setTabFocusMode(rule !== "indents");
    this.panel?.say(rule);
  }
}

/** The line below the text that shows the effect of Tab; a click changes it. */
class StatusLine implements Panel {
  readonly dom: HTMLElement;
  readonly top = false;
  private readonly button: HTMLButtonElement;
  private readonly note = el("span", { class: "pl-status-note" });

  constructor(toggle: () => void) {
    const press = (event: Event) => {
      event.preventDefault();
      toggle();
    };
    // The editor has a key for this, so the button is not in the tab order, where it would be an additional stop.
    this.button = el("button", { class: "pl-status-tab", type: "button", tabindex: "-1", on: { mousedown: (event) => event.preventDefault(), click: press } });
    const rule = el("span", { id: tabRuleId, class: "pl-hidden" }, words.tabRule);
    this.dom = el("div", { class: "pl-status" }, el("span", { class: "pl-status-said", role: "status" }, this.button, this.note), rule);
  }

  say(rule: Rule): void {
    const { does, note } = words.tab[rule];
    if (this.button.textContent === does && this.note.textContent === note) return;
    this.button.textContent = does;
    this.button.title = words.tabSwitch;
    this.note.textContent = note;
  }
}

/** The rules of Tab, with a status line: Escape then Tab moves the focus, Ctrl-M toggles the effect. */
export function tabRule(choice: Choice): Extension {
  const plugin = ViewPlugin.define((view) => new TabRule(view, choice), {
    eventHandlers: {
      focus() {
        this.focused();
      },
      blur() {
        this.blurred();
      },
    },
  });
  const run = (does: (rule: TabRule) => void) => (view: EditorView) => {
    const rule = view.plugin(plugin);
    if (rule) does(rule);
    return rule !== null;
  };
  const status = (view: EditorView) => {
    const line = new StatusLine(() => view.plugin(plugin)?.toggle());
    view.plugin(plugin)?.show(line);
    return line;
  };
  return [
    plugin,
    showPanel.of(status),
    Prec.high(keymap.of([{ key: "Ctrl-m", mac: "Shift-Alt-m", run: run((rule) => rule.toggle()) }])),
    Prec.lowest(keymap.of([{ key: "Escape", run: run((rule) => rule.leave()) }])),
  ];
}
