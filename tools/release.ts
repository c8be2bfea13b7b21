import { spawnSync } from "node:child_process"
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "../server/version.ts"

/**
 * `npm run release`: writes fieldway-<version>.tar.gz with the committed files and the built console. On the host,
 * `npm ci --omit=dev && npm start` in the unpacked folder finds the console built.
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
  run(process.execPath, [join(root, "server/build-console.ts")])
  run("git", ["archive", "--format=tar", "--output", join(staging, "sources.tar"), "HEAD"])
  run("tar", ["-xf", join(staging, "sources.tar"), "-C", folder])
  await cp(join(root, "console/dist"), join(folder, "console/dist"), { recursive: true })
  run("tar", ["-czf", join(root, `${name}.tar.gz`), "-C", staging, name])
} finally {
  await rm(staging, { recursive: true, force: true })
}
process.stdout.write(`wrote ${name}.tar.gz\n`)
