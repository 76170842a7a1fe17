import { Annotation, Facet, StateEffect, StateField, type Transaction } from "@codemirror/state";
import type { Layer, Options } from "./contract";

/** What every part of an editor can reach. */
export interface Host {
  options: Options;
  /** The file that is shown. */
  file(): string;
  /** A file's badge, when the app has told it. */
  layer(file: string): Layer | undefined;
}

const silent: Host = { options: {}, file: () => "", layer: () => undefined };

/** The editor's host, for extensions. */
export const host = Facet.define<Host, Host>({ combine: (hosts) => hosts[0] ?? silent });

/** Marks a change that the app made itself and need not hear about. */
export const fromApp = Annotation.define<boolean>();

/** Holds a value until the next step of the person: a change of text or cursor. */
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
