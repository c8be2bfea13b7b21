import { glob, readFile, stat } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { anchorOf } from "./page.ts"

const linkPattern = /(?<!`)!?\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g
const documents = ["*.md", "docs/**/*.md", "bench/**/*.md", "packages/*/*.md", "examples/**/*.md"]
/** Written by a build. */
const builtLater = /^console\/dist\b|^packages\/api-client\/src\/schema\.ts$/
/** What only exists on a running server or outside. */
const elsewhere = /^(?:[a-z]+:|\/)/

/** Every link between documents that leads nowhere, as `file: target`. Addresses outside are not asked. */
export async function brokenLinks(root: string): Promise<string[]> {
  const broken: string[] = []
  for await (const path of glob(documents, { cwd: root, exclude: ["**/node_modules/**"] })) {
    const text = await readFile(join(root, path), "utf8")
    const prose = text.replace(/^```[\s\S]*?^```/gm, "")
    for (const [, target = ""] of prose.matchAll(linkPattern))
      if (!elsewhere.test(target) && !(await leadsSomewhere(root, path, text, target)))
        broken.push(`${path}: ${target}`)
  }
  return broken
}

async function leadsSomewhere(root: string, from: string, own: string, target: string): Promise<boolean> {
  const [file = "", anchor] = decodeURIComponent(target).split("#")
  const path = file === "" ? from : relative(root, join(root, dirname(from), file))
  if (path.startsWith("..")) return false
  const found = await stat(join(root, path)).catch(() => undefined)
  if (!found) return false
  if (anchor === undefined || !path.endsWith(".md")) return true
  const text = file === "" ? own : await readFile(join(root, path), "utf8")
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].some(([, heading = ""]) => anchorOf(heading) === anchor)
}

const codePattern = /(?<!`)`([^`\s]+)(?: [^`\n]*)?`(?!`)/g
/** What begins like this names something in the repository; `core/` and `features/` are short for folders of the server. */
const repositoryPath =
  /^(?:\.\.\/)*((?:bench|console|core|db|deploy|docs|examples|features|packages|server|shared|tools)\/[\w./@-]+)$/

/** Every path of the repository that a document names as code and that does not exist, as `file: path`. */
export async function stalePaths(root: string): Promise<string[]> {
  const stale: string[] = []
  const exists = (path: string) =>
    stat(join(root, path)).then(
      () => true,
      () => false,
    )
  for await (const document of glob(documents, { cwd: root, exclude: ["**/node_modules/**"] })) {
    const text = await readFile(join(root, document), "utf8")
    const prose = text.replace(/^```[\s\S]*?^```/gm, "")
    for (const [, code = ""] of prose.matchAll(codePattern)) {
      const path = repositoryPath.exec(code)?.[1]
      if (path === undefined || builtLater.test(path)) continue
      if (!(await exists(path)) && !(await exists(join("server", path)))) stale.push(`${document}: ${path}`)
    }
  }
  return stale
}
