import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"
import type { FileMutant } from "./run-mutants.ts"

/** Loaded before a test file (`--import`): the mutant's module is loaded with its change. */
export const mutantVariable = "FIELDWAY_MUTANT"
const given = process.env[mutantVariable]
if (given) {
  const { file, start, end, text } = JSON.parse(given) as FileMutant
  const address = pathToFileURL(file).href
  registerHooks({
    load(url, context, nextLoad) {
      if (url !== address) return nextLoad(url, context)
      const source = readFileSync(file, "utf8")
      return {
        format: "module-typescript",
        source: source.slice(0, start) + text + source.slice(end),
        shortCircuit: true,
      }
    },
  })
}
