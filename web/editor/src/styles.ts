import { StyleModule as Rules } from "style-mod";

type Root = Document | ShadowRoot;

const mounted = new WeakMap<Root, { sheet: CSSStyleSheet; modules: Rules[] }>();

/**
 * Stands in for style-mod's class in the bundle. The rules go into a constructed style sheet instead of a `<style>`
 * element, so `style-src 'self'` needs no nonce; shadow roots work the same way.
 */
export class StyleModule extends Rules {
  static override mount(root: Root, modules: Rules | readonly Rules[], options?: { nonce?: string }): void {
    if (!("replaceSync" in CSSStyleSheet.prototype)) return Rules.mount(root as Document, modules as Rules[], options);
    const wanted = Array.isArray(modules) ? (modules as Rules[]) : [modules as Rules];
    const set = mounted.get(root) ?? adopt(root);
    if (wanted.every((module) => set.modules.includes(module))) return;
    set.modules = [...set.modules.filter((module) => !wanted.includes(module)), ...wanted];
    set.sheet.replaceSync(set.modules.map((module) => module.getRules()).join("\n"));
  }
}

function adopt(root: Root): { sheet: CSSStyleSheet; modules: Rules[] } {
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
  const set = { sheet, modules: [] };
  mounted.set(root, set);
  return set;
}
