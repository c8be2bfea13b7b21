import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { bugs } from "./bugs.ts"

/** Loaded before everything else (`--import`): the module of the bug named by FIELDWAY_BUG is loaded with its mistake. */
const bug = bugs.find(({ name }) => name === process.env.FIELDWAY_BUG)
if (bug)
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith("file:") || !fileURLToPath(url).endsWith(`/${bug.file}`))
        return nextLoad(url, context)
      const source = readFileSync(fileURLToPath(url), "utf8")
      if (source.split(bug.text).length !== 2)
        throw new Error(`the bug ${bug.name} fits ${bug.file} no longer`)
      return {
        format: "module-typescript",
        source: source.replace(bug.text, () => bug.instead),
        shortCircuit: true,
      }
    },
  })
