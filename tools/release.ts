import { spawnSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "../server/version.ts"

/**
 * `npm run release`: writes fieldway-<version>.tar.gz with the committed files and the console built from them. On the
 * host, `npm ci --omit=dev && npm start` in the unpacked folder finds the console built. It is built in the staging
 * folder: there are neither uncommitted changes nor generated files, with which the host would build it again.
 */
const root = new URL("../", import.meta.url).pathname
const name = `fieldway-${version}`

function run(program: string, args: readonly string[], cwd = root): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with ${status}`)
}

const staging = await mkdtemp(join(tmpdir(), "fieldway-release-"))
try {
  const folder = join(staging, name)
  await mkdir(folder)
  run("git", ["archive", "--format=tar", "--output", join(staging, "sources.tar"), "HEAD"])
  run("tar", ["-xf", join(staging, "sources.tar"), "-C", folder])
  const packages = join(folder, "node_modules")
  await symlink(join(root, "node_modules"), packages)
  run(process.execPath, [join(folder, "server/build-console.ts")])
  await rm(packages)
  run("tar", ["-czf", join(root, `${name}.tar.gz`), "-C", staging, name])
} finally {
  await rm(staging, { recursive: true, force: true })
}
process.stdout.write(`wrote ${name}.tar.gz\n`)
