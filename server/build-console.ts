import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { glob, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "..")
const dist = join(root, "console/dist")
/** The digest of the sources that `dist` was built from. */
const stamp = join(dist, "sources.sha256")

/** Builds the web console when it has not been built yet, as after `npm ci --omit=dev --ignore-scripts`. */
export async function buildMissingConsole(): Promise<void> {
  const hasSources = existsSync(join(root, "console/vite.config.ts"))
  if (hasSources && !existsSync(join(dist, "index.html"))) await build(await digestSources())
}

/** Builds the web console unless `console/dist` was built from the sources that are here. */
async function buildChangedConsole(): Promise<void> {
  const digest = await digestSources()
  const built = await readFile(stamp, "utf8").catch(() => "")
  if (built !== digest) await build(digest)
}

async function digestSources(): Promise<string> {
  const patterns = [
    "console/*.{ts,html,json}",
    "console/{src,public}/**/*",
    "{shared,packages}/**/*.ts",
    "package-lock.json",
  ]
  const entries = await Array.fromAsync(glob(patterns, { cwd: root, withFileTypes: true }))
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hash = createHash("sha256")
  for (const path of paths.toSorted()) hash.update(await readFile(path))
  return hash.digest("hex")
}

/** Runs Vite in a process of its own, as it takes several hundred megabytes. */
async function build(digest: string): Promise<void> {
  const require = createRequire(import.meta.url)
  const vite = join(dirname(require.resolve("vite/package.json")), "bin/vite.js")
  const child = spawn(process.execPath, [vite, "build", "console", "--logLevel", "warn"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  })
  const code = await new Promise((resolve) => child.on("close", resolve))
  if (code !== 0) throw new Error(`the console could not be built: vite ended with ${code}`)
  await writeFile(stamp, digest)
}

if (import.meta.main) await buildChangedConsole()
