import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { lstat, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { Value } from "typebox/value"
import type { Objects } from "#core/objects/objects.ts"
import { CommandRefusal } from "../command.ts"
import {
  type ArchiveTable,
  type Manifest,
  ManifestSchema,
  type ObjectEntry,
  ObjectEntrySchema,
} from "./manifest.ts"

export interface ArchiveReader {
  manifest: Manifest
  /** The rows of a table as COPY text. */
  rows(table: ArchiveTable): Readable
  objects(): AsyncIterable<ObjectEntry>
  /** Stores every object of the archive. */
  putObjects(store: Objects): Promise<void>
}

/** Opens an archive after every byte of it was compared with its checksums. Throws a CommandRefusal otherwise. */
export async function readArchive(folder: string, kind: Manifest["kind"]): Promise<ArchiveReader> {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => {
    throw new CommandRefusal(`${folder} is not a complete archive: manifest.json is missing`)
  })
  const wanted = await readFile(join(folder, "manifest.json.sha256"), "utf8").catch(() => "")
  if (!wanted.startsWith(createHash("sha256").update(text).digest("hex"))) throw damaged("manifest.json")
  const read: unknown = JSON.parse(text)
  if (!Value.Check(ManifestSchema, read))
    throw new CommandRefusal(`${folder} is not an archive that this version can read`)
  const manifest: Manifest = read
  if (manifest.kind !== kind)
    throw new CommandRefusal(
      kind === "installation"
        ? `${folder} contains one organization. Load it with npm run organization:import`
        : `${folder} contains a whole installation. Load it with npm run restore`,
    )
  for (const table of manifest.tables) await checkFile(folder, table)
  await checkFile(folder, manifest.objects)

  async function* objects(): AsyncIterable<ObjectEntry> {
    const lines = createInterface({
      input: createReadStream(join(folder, manifest.objects.file)),
      crlfDelay: Infinity,
    })
    for await (const line of lines) {
      const entry: unknown = JSON.parse(line)
      if (!Value.Check(ObjectEntrySchema, entry)) throw damaged(manifest.objects.file)
      yield entry
    }
  }
  for await (const entry of objects()) await checkFile(folder, { ...entry, file: `objects/${entry.key}` })

  return {
    manifest,
    rows: (table) => {
      const unzip = createGunzip()
      pipeline(createReadStream(join(folder, table.file)), unzip).catch(() => undefined)
      return unzip
    },
    objects,
    async putObjects(store) {
      for await (const { key } of objects())
        await store.put(key, createReadStream(join(folder, "objects", key)))
    },
  }
}

async function checkFile(
  folder: string,
  { file, bytes, sha256 }: { file: string; bytes: number; sha256: string },
) {
  if (file.split("/").includes("..")) throw damaged(file)
  const found = await lstat(join(folder, file)).catch(() => undefined)
  if (found && !found.isFile())
    throw new CommandRefusal(
      `The archive cannot be trusted: ${file} is not a regular file. Nothing was changed`,
    )
  const hash = createHash("sha256")
  let size = 0
  try {
    for await (const chunk of createReadStream(join(folder, file))) {
      hash.update(chunk as Buffer)
      size += (chunk as Buffer).length
    }
  } catch (cause) {
    throw new CommandRefusal(`The archive lacks ${file}`, { cause })
  }
  if (size !== bytes || hash.digest("hex") !== sha256) throw damaged(file)
}

function damaged(file: string): CommandRefusal {
  return new CommandRefusal(
    `The archive is damaged: ${file} does not match its checksum. Nothing was changed`,
  )
}
