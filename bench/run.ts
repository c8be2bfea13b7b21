import { spawnSync } from "node:child_process"
import { readdir } from "node:fs/promises"

/**
 * `npm run bench`: every benchmark, one after the other, each with a database of its own; further arguments
 * name some (`npm run bench -- http tasks`). Nothing else should run on the machine meanwhile: the figures are
 * ratios of two sides in one run, but a busy machine disturbs one side more than the other.
 */
/** What needs an argument. Those in `scale/` take a quarter of an hour and more. */
const parts = new Set(["run.ts", "routing-solver.ts"])
const wanted = process.argv.slice(2)
const names = (await readdir(import.meta.dirname))
  .filter((name) => name.endsWith(".ts") && !parts.has(name))
  .sort()
const chosen = wanted.length > 0 ? names.filter((name) => wanted.includes(name.replace(/\.ts$/, ""))) : names

let failed = 0
for (const name of chosen) {
  process.stdout.write(`\n== ${name} ==\n`)
  const result = spawnSync(process.execPath, ["--expose-gc", new URL(name, import.meta.url).pathname], {
    stdio: "inherit",
  })
  if (result.status !== 0) failed += 1
}
process.stdout.write(failed === 0 ? "\nall benchmarks ran\n" : `\n${failed} benchmarks failed\n`)
process.exit(failed === 0 ? 0 : 1)
