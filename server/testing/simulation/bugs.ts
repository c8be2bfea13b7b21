import { readFileSync } from "node:fs"

/** A plausible mistake in the source: the text that it replaces occurs once in its file. */
export interface Bug {
  name: string
  file: string
  text: string
  instead: string
}

/** Fifty mistakes of all layers, written down before the simulation was tuned to find them. */
export const bugs: readonly Bug[] = JSON.parse(readFileSync(new URL("bugs.json", import.meta.url), "utf8"))
