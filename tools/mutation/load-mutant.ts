import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import fc from "fast-check"

// The same cases for each mutant, and no search for a smaller one.
fc.configureGlobal({ seed: 20_261_123, endOnFailure: true })

/** Loaded before the tests (`--import`): the file named by MUTANT_FILE is loaded with one part replaced. */
const { MUTANT_FILE: file, MUTANT_START: start, MUTANT_END: end, MUTANT_TEXT: text = "" } = process.env
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith("file:") || fileURLToPath(url) !== file) return nextLoad(url, context)
    const source = readFileSync(file, "utf8")
    return {
      format: "module-typescript",
      source: source.slice(0, Number(start)) + text + source.slice(Number(end)),
      shortCircuit: true,
    }
  },
})
