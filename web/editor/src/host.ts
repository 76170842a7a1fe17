import { Annotation, Facet, StateEffect, StateField, type Transaction } from "@codemirror/state";
import type { Layer, Options } from "./contract";

/** The context that all parts of an editor share. */
export interface Host {
  options: Options;
  /** The file that is shown. */
  file(): string;
  /** The badge of a file, if the app has set it. */
  layer(file: string): Layer | undefined;
}

const silent: Host = { options: {}, file: () => "", layer: () => undefined };

/** The editor's host, for extensions. */
export const host = Facet.define<Host, Host>({ combine: (hosts) => hosts[0] ?? silent });

/** Marks a change that the app made itself and need not receive. */
export const fromApp = Annotation.define<boolean>();

/** Holds a value until the user changes the text or moves the cursor. */
export function untilNextStep<T>(set: ReturnType<typeof StateEffect.define<T | null>>, provide?: Provide<T>) {
  return StateField.define<T | null>({
    create: () => null,
    update(value, tr: Transaction) {
      for (const effect of tr.effects) if (effect.is(set)) return effect.value;
      return value !== null && (tr.docChanged || tr.selection) ? null : value;
    },
    ...(provide ? { provide } : {}),
  });
}

type Provide<T> = (field: StateField<T | null>) => import("@codemirror/state").Extension;
