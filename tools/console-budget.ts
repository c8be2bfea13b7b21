import { readFile, stat } from "node:fs/promises"

/** What one page may need of script at its first load, in bytes as they are sent. */
const maxBytes = 250_000
/** Browsers get Brotli over TLS; over plain HTTP most of them take gzip alone. */
const encodings = ["br", "gz"] as const
const dist = new URL("../console/dist/", import.meta.url)

/** Pages that people wait for: each by the modules that the router loads for it. */
const pages: Readonly<Record<string, readonly string[]>> = {
  "sign-in": ["src/features/people/sessions/SignInPage.tsx"],
  tasks: ["src/shell/SignedInLayout.tsx", "src/features/work/tasks/list/TaskListPage.tsx"],
}

interface Chunk {
  file: string
  imports?: string[]
}

/** Names the pages whose script is larger than the budget; undefined when all are within it. */
export async function checkConsoleBudget(): Promise<string | undefined> {
  const manifest = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8")) as Record<
    string,
    Chunk
  >
  const problems: string[] = []
  for (const [page, modules] of Object.entries(pages)) {
    const missing = modules.find((module) => manifest[module] === undefined)
    if (missing) {
      problems.push(`${page}: ${missing} is not in the build`)
      continue
    }
    const files = filesOf(manifest, ["index.html", ...modules])
    const totals: string[] = []
    for (const encoding of encodings) {
      const sizes = await Promise.all([...files].map((file) => sentBytes(file, encoding)))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      totals.push(`${Math.round(total / 1000)} kB (${encoding})`)
      if (total > maxBytes)
        problems.push(`${page}: ${total} bytes (${encoding}) of script, more than ${maxBytes}`)
    }
    process.stdout.write(`      ${page}: ${totals.join(", ")} of script in ${files.size} files\n`)
  }
  return problems.length > 0 ? problems.join("\n") : undefined
}

/** The files of some modules with everything that they import at once; what they load later is not counted. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, modules: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || seen.has(name)) return
    seen.add(name)
    if (chunk.file.endsWith(".js")) files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const module of modules) visit(module)
  return files
}

/** Small files are sent as they are, the others compressed. */
async function sentBytes(file: string, encoding: (typeof encodings)[number]): Promise<number> {
  const plain = new URL(file, dist)
  const compressed = await stat(new URL(`${plain.href}.${encoding}`)).catch(() => undefined)
  return (compressed ?? (await stat(plain))).size
}
