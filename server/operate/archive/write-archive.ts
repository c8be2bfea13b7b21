import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { copyOut, type Tx } from "#core/database/database.ts"
import { isPrivate, type Objects } from "#core/objects/objects.ts"
import { CommandRefusal } from "../command.ts"
import type { ArchiveTable, Manifest, ObjectEntry } from "./manifest.ts"
import { columnList, type PlannedTable } from "./table-plan.ts"

interface WrittenFile {
  file: string
  bytes: number
  sha256: string
}

export interface ArchiveWriter {
  /** Streams the rows of a `select` of exactly these columns into the archive. */
  table(tx: Tx, table: PlannedTable, from: string): Promise<ArchiveTable>
  /** Copies every object under a prefix that is not in the archive yet. Returns how many that were. */
  objects(store: Objects, prefix: string): Promise<number>
  /** Writes the manifest and gives the folder its name. */
  finish(rest: Omit<Manifest, "objects" | "tables">): Promise<Manifest>
  /** Removes what was written. */
  abandon(): Promise<void>
}

/** Starts an archive in `folder`, which must not exist. Readable by its owner alone: it holds secrets and people. */
export async function writeArchive(folder: string): Promise<ArchiveWriter> {
  if (await stat(folder).catch(() => undefined))
    throw new CommandRefusal(`${folder} already exists. Choose another folder`)
  const draft = `${folder}.partial`
  await rm(draft, { recursive: true, force: true })
  await mkdir(join(draft, "tables"), { recursive: true, mode: 0o700 })
  const tables: ArchiveTable[] = []
  const entries = new Map<string, ObjectEntry>()

  const write = async (file: string, content: Readable, ...through: Transform[]): Promise<WrittenFile> => {
    const path = join(draft, file)
    // It may fail while the folder is created, before a listener exists, which would end the process. The pipeline reports it.
    content.on("error", () => undefined)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const hash = createHash("sha256")
    let bytes = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        bytes += chunk.length
        done(null, chunk)
      },
    })
    await pipeline([content, ...through, measure, createWriteStream(path, { mode: 0o600 })])
    return { file, bytes, sha256: hash.digest("hex") }
  }

  return {
    async table(tx, table, from) {
      const rows = copyOut(tx, `copy (select ${columnList(table.columns)} ${from}) to stdout`)
      const lines = countLines()
      // Level 1: the disk is the brake then, not the processor that also serves people.
      const written = await write(`tables/${table.name}.copy.gz`, rows, lines, createGzip({ level: 1 }))
      const entry = {
        ...written,
        schema: table.schema,
        name: table.name,
        columns: table.columns,
        rows: lines.count(),
      }
      tables.push(entry)
      return entry
    },
    async objects(store, prefix) {
      let copied = 0
      for await (const key of store.list(prefix)) {
        if (entries.has(key) || isPrivate(key)) continue
        const found = await store.open(key)
        // Removed between the listing and now: nobody will miss it in the copy either.
        if (!found) continue
        const { bytes, sha256 } = await write(`objects/${key}`, found.stream)
        entries.set(key, { key, bytes, sha256 })
        copied += 1
      }
      return copied
    },
    async finish(rest) {
      const lines = function* () {
        for (const entry of entries.values()) yield Buffer.from(`${JSON.stringify(entry)}\n`)
      }
      const list = await write("objects.ndjson", Readable.from(lines()))
      const contentBytes = [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0)
      const manifest: Manifest = { ...rest, tables, objects: { ...list, count: entries.size, contentBytes } }
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      await writeFile(join(draft, "manifest.json"), text, { mode: 0o600 })
      const digest = createHash("sha256").update(text).digest("hex")
      await writeFile(join(draft, "manifest.json.sha256"), `${digest}  manifest.json\n`, { mode: 0o600 })
      const handle = await open(draft, "r")
      await handle.sync()
      await handle.close()
      await rename(draft, folder)
      return manifest
    },
    abandon: () => rm(draft, { recursive: true, force: true }),
  }
}

/** COPY text has one line a row: a line break inside a value is written as two characters. */
function countLines(): Transform & { count(): number } {
  let lines = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
      done(null, chunk)
    },
  })
  return Object.assign(counter, { count: () => lines })
}
