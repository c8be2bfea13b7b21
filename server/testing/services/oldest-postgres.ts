import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { connect } from "#core/database/database.ts"

/** Where Debian puts the oldest version that we support; POSTGRES_15 names the folder of its programs elsewhere. */
const programs = process.env.POSTGRES_15 ?? "/usr/lib/postgresql/15/bin"

/**
 * A throw-away PostgreSQL 15 with an empty database, as somebody else may run it for us: our role owns that
 * database and nothing more. Returns its address, or undefined when this machine has no PostgreSQL 15.
 */
export async function startOldestPostgres(t: TestContext): Promise<string | undefined> {
  if (!(await stat(join(programs, "initdb")).catch(() => undefined))) return undefined
  const folder = await mkdtemp(join(tmpdir(), "fieldway-oldest-"))
  const account = await unprivileged()
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
  const run = (program: string, args: string[]) =>
    spawn(join(programs, program), args, { cwd: "/", stdio: "ignore", ...account })
  const flags = ["-U", "boss", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
  const [made] = await once(run("initdb", ["-D", folder, ...flags]), "exit")
  if (made !== 0) throw new Error(`initdb of PostgreSQL 15 ended with ${made}`)
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off", "jit=off"]
  const server = run("postgres", ["-D", folder, ...settings.flatMap((setting) => ["-c", setting])])
  t.after(async () => {
    const ended = once(server, "exit")
    server.kill("SIGQUIT")
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const url = (user: string, database: string) =>
    `postgres:///${database}?host=${encodeURIComponent(folder)}&user=${user}`
  const boss = connect(url("boss", "postgres"), { max: 1 })
  for (let isUp = false; !isUp; ) isUp = await boss`select 1`.then(() => true).catch(() => false)
  await boss`create role fieldway login`
  await boss`create database fieldway owner fieldway`
  await boss.end()
  return url("fieldway", "fieldway")
}

/** PostgreSQL does not run as root: its own user, or nobody, does then. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"))
  const [, , uid, gid] = accounts.find(([name]) => name === "postgres" || name === "nobody") ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
