import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"

/** Where a package puts it, beside the PATH: PGBOUNCER names another. */
const programs = [process.env.PGBOUNCER, "pgbouncer", "/usr/sbin/pgbouncer"]

/**
 * A real PgBouncer before the database at `databaseUrl` (a Unix socket, as tests have it), with further lines of
 * its configuration. Returns its own address, or undefined when this machine has none.
 */
export async function startPgBouncer(
  t: TestContext,
  databaseUrl: string,
  settings: readonly string[],
): Promise<string | undefined> {
  const database = new URL(databaseUrl)
  const sockets = database.searchParams.get("host")
  if (!sockets) return undefined
  const user = database.searchParams.get("user") ?? "fieldway"
  const folder = await mkdtemp(join(tmpdir(), "fieldway-bouncer-"))
  t.after(() => rm(folder, { recursive: true, force: true }))
  // Only its owner may enter the database's socket, and PgBouncer refuses to run as root.
  const owner = await stat(sockets)
  const account = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
  if ("uid" in account) await chown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
  const configuration = join(folder, "pgbouncer.ini")
  await writeFile(
    configuration,
    [
      "[databases]",
      `* = host=${sockets} user=${user}`,
      "[pgbouncer]",
      "listen_addr =",
      `unix_socket_dir = ${folder}`,
      "listen_port = 5432",
      "auth_type = any",
      "pool_mode = transaction",
      ...settings,
    ].join("\n"),
    { mode: 0o644 },
  )
  for (const program of programs) {
    if (!program) continue
    const child = spawn(program, [configuration], { stdio: ["ignore", "ignore", "pipe"], ...account })
    const isUp = await new Promise<boolean>((resolve) => {
      child.on("error", () => resolve(false))
      child.on("exit", () => resolve(false))
      child.stderr?.on("data", (chunk: Buffer) => {
        if (chunk.includes("process up")) resolve(true)
      })
    })
    if (!isUp) continue
    t.after(async () => {
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    })
    database.searchParams.set("host", folder)
    return database.href
  }
  return undefined
}
