import { spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { checkAdvisories, checkLicences } from "./audit.ts"
import { checkConsoleBudget } from "./console-budget.ts"
import { checkConsoleLanguages } from "./console-languages.ts"
import { brokenLinks } from "./docs/links.ts"
import { generateAll } from "./generate.ts"
import { lintApi } from "./lint-api.ts"
import { checkReadingDirection } from "./reading-direction.ts"
import { checkRegularExpressions } from "./regular-expressions.ts"
import { checkServerLanguages } from "./server-languages.ts"
import { checkSizeLimits } from "./size-limits.ts"
import { checkVocabulary } from "./vocabulary.ts"

/** `npm run check`: types, lint and format, generated files, console build. Prints each failure, exits 1 on any. */
const root = new URL("../", import.meta.url)

const steps: { name: string; run: () => Promise<string | undefined> }[] = [
  // First: the types of the client, which others are checked against, are among them.
  { name: "generated files", run: compareGenerated },
  { name: "types", run: () => command("tsc", ["-p", "."]) },
  { name: "types of the console", run: () => command("tsc", ["-p", "console"]) },
  { name: "types of the browser tests", run: () => command("tsc", ["-p", "console/tests"]) },
  { name: "types of the client", run: () => command("tsc", ["-p", "packages/api-client", "--noEmit"]) },
  { name: "lint and format", run: () => command("biome", ["check", "--error-on-warnings", "."]) },
  {
    name: "unused code and packages",
    run: () => command("knip", ["--no-progress", "--treat-config-hints-as-errors"]),
  },
  { name: "API description", run: lintApi },
  { name: "regular expressions", run: checkRegularExpressions },
  { name: "languages of the console", run: checkConsoleLanguages },
  { name: "languages of the server", run: checkServerLanguages },
  { name: "reading direction of the console", run: checkReadingDirection },
  { name: "links of the documents", run: checkLinks },
  { name: "sizes of files and folders", run: checkSizeLimits },
  { name: "vocabulary", run: checkVocabulary },
  { name: "licences", run: checkLicences },
  { name: "advisories", run: checkAdvisories },
  { name: "console build", run: () => command("npm", ["run", "--silent", "build"]) },
  { name: "size of the console", run: checkConsoleBudget },
]

async function command(program: string, args: readonly string[]): Promise<string | undefined> {
  const result = spawnSync(program, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  return result.status === 0 ? undefined : `${result.stdout}${result.stderr}${result.error ?? ""}`
}

async function checkLinks(): Promise<string | undefined> {
  const broken = await brokenLinks(root.pathname)
  return broken.length > 0 ? broken.join("\n") : undefined
}

async function compareGenerated(): Promise<string | undefined> {
  const stale: string[] = []
  for (const { path, text, isLocal } of await generateAll()) {
    if (isLocal) await writeFile(new URL(path, root), text)
    const stored = await readFile(new URL(path, root), "utf8").catch(() => "")
    if (stored !== text) stale.push(path)
  }
  return stale.length > 0 ? `out of date, run npm run generate: ${stale.join(", ")}` : undefined
}

let failed = 0
for (const { name, run } of steps) {
  const problem = await run()
  process.stdout.write(`${problem === undefined ? "ok    " : "FAILED"} ${name}\n`)
  if (problem !== undefined) {
    failed += 1
    process.stdout.write(`${problem}\n`)
  }
}
process.exit(failed === 0 ? 0 : 1)
