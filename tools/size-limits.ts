import { spawnSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"

const root = new URL("../", import.meta.url)
const maxFilesPerFolder = 25
const maxLinesPerFile = 350

const source = /\.(ts|tsx|css|js|mjs)$/
/** Migrations and pages of prose only grow in number, and a generator writes the list of operations. */
const unlimitedFolders = ["db/migrations", "docs"]
const generatedFile = "packages/api-client/src/operations.ts"

/** Rejects folders and source files that have grown too large to take in at a glance. */
export async function checkSizeLimits(): Promise<string | undefined> {
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
  const paths = listed.stdout.split("\n").filter((path) => path !== "")
  if (paths.length === 0) throw new Error("git ls-files listed no files")
  const problems: string[] = []
  const folders = Map.groupBy(paths, dirname)
  for (const [folder, { length }] of folders)
    if (length > maxFilesPerFolder && !unlimitedFolders.includes(folder))
      problems.push(`${folder} has ${length} files, at most ${maxFilesPerFolder}: split it by kind`)
  for (const path of paths.filter((path) => source.test(path) && path !== generatedFile)) {
    const text = await readFile(new URL(path, root), "utf8").catch(() => "")
    const lines = text.split("\n").length - 1
    if (lines > maxLinesPerFile)
      problems.push(`${path} has ${lines} lines, at most ${maxLinesPerFile}: split it`)
  }
  return problems.length > 0 ? problems.toSorted().join("\n") : undefined
}
