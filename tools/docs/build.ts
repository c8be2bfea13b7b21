import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { brokenLinks } from "./links.ts"
import { menu, page, titleOf } from "./page.ts"

/** `npm run docs`: docs/ and the root's documents as a small static site in `docs-site/`, links checked first. */
const root = new URL("../../", import.meta.url).pathname
const target = join(root, "docs-site")

async function documents(): Promise<string[]> {
  const inDocs = (await readdir(join(root, "docs"), { recursive: true })).map((name) => `docs/${name}`)
  const others = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md"]
  return [...others, ...inDocs].filter((path) => path.endsWith(".md")).toSorted()
}

if (import.meta.main) {
  const broken = await brokenLinks(root)
  if (broken.length > 0) {
    process.stderr.write(`${broken.join("\n")}\n`)
    process.exit(1)
  }
  await rm(target, { recursive: true, force: true })
  const paths = await documents()
  const texts = new Map<string, string>()
  for (const path of paths) texts.set(path, await readFile(join(root, path), "utf8"))
  const entries = [...texts].map(([path, text]) => ({ path, title: titleOf(path, text) }))
  for (const [path, text] of texts) {
    const file = join(target, path.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"))
    await mkdir(join(file, ".."), { recursive: true })
    await writeFile(file, page(path, text, menu(path, entries)))
  }
  await cp(join(root, "docs/screenshots"), join(target, "docs/screenshots"), {
    recursive: true,
    force: true,
  }).catch(() => undefined)
  process.stdout.write(`${paths.length} pages in docs-site/, begin at docs-site/index.html\n`)
}
