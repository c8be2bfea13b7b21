import { fileURLToPath } from "node:url"
import type { Rolldown } from "vite"

interface Graph {
  getModuleInfo(id: string): Rolldown.ModuleInfo | null
}

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))
const main = source("main.tsx")
/** Loads each page of the field worker when it is opened. */
const fieldRoutes = source("pages/field.tsx")
/** What these pages load is limited: `tools/console-budget.ts`. */
const limitedPages = [
  "shell/SignedInLayout.tsx",
  "features/work/tasks/list/TaskListPage.tsx",
  "features/people/sessions/SignInPage.tsx",
].map(source)
/** Maps are large, and opened on pages of their own. */
const mapLibrary = /[\\/]node_modules[\\/]maplibre-gl[\\/]/
/** Modules that only pass on what others export: of these, an import loads what it names. */
const passedOn =
  /[\\/]node_modules[\\/](@mantine[\\/]\w+[\\/]esm[\\/]index|@tabler[\\/].*[\\/]tabler-icons-react)\.mjs$/

/**
 * Puts the field worker's pages into a few files instead of about 150: over a mobile network every request takes its
 * time. `field` is what nobody else loads, `forms` what other pages of the console use too, and the rest is shared with
 * pages whose size is limited. Maps and the reader of codes stay apart. `start` keeps what comes first out of the others.
 */
export function fieldChunks() {
  let chunks: ReadonlyMap<string, string> | undefined
  return ["start", "basics", "forms", "field"].map((chunk, index) => ({
    name: (id: string, graph: Graph): string | null => {
      chunks ??= chooseChunks(graph)
      const chosen = chunks.get(id) ?? ""
      return chosen.startsWith(chunk) ? chosen : null
    },
    debugName: chunk,
    priority: 4 - index,
  }))
}

function chooseChunks(graph: Graph): Map<string, string> {
  const loadedLater = (id: string) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []
  const imported = (id: string) => importedBy(graph, id)
  const atOnce = (...ids: string[]) => reach(ids, imported)
  const pages = loadedLater(fieldRoutes).filter((id) => ![...atOnce(id)].some((one) => mapLibrary.test(one)))
  const others = reach([main], (id) => [...imported(id), ...(id === fieldRoutes ? [] : loadedLater(id))])
  const limited = limitedPages.map((id) => atOnce(id))
  const chunks = new Map<string, string>()
  for (const id of atOnce(...pages)) {
    const users = limited.map((page) => (page.has(id) ? 1 : 0)).join("")
    if (!others.has(id)) chunks.set(id, "field")
    else if (users.includes("1")) chunks.set(id, `basics-${users}`)
    else chunks.set(id, "forms")
  }
  for (const id of atOnce(main)) if (id !== main) chunks.set(id, "start")
  return chunks
}

function importedBy(graph: Graph, id: string): string[] {
  const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
  return importedIds.flatMap((one) => (passedOn.test(one) ? namedFiles(graph, one, code ?? "") : [one]))
}

/** The files that define what `code` imports from a module that passes on: `useHotkeys` is in `use-hotkeys.mjs`. */
function namedFiles(graph: Graph, passing: string, code: string): string[] {
  const names = [...code.matchAll(/import \{([^}]*)\} from/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().split(" ")[0] ?? ""),
  )
  const files = new Map(
    (graph.getModuleInfo(passing)?.importedIds ?? []).map((file) => [
      file.replace(/^.*[\\/]|\.mjs$/g, ""),
      file,
    ]),
  )
  return names.flatMap(
    (name) => files.get(name) ?? files.get(name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)) ?? [],
  )
}

export function reach(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(from)
  for (const id of found) for (const one of next(id)) found.add(one)
  return found
}
