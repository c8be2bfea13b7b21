import { randomUUID } from "node:crypto"
import { open, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { readZipDirectory } from "#packages/spreadsheets/xlsx/zip-directory.ts"
import { readZipPart } from "#packages/spreadsheets/xlsx/zip-part.ts"

/** The files of a ZIP archive by name. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  const path = join(tmpdir(), `${randomUUID()}.zip`)
  await writeFile(path, archive)
  const file = await open(path)
  try {
    const files = new Map<string, Buffer>()
    for (const [name, entry] of await readZipDirectory(file, archive.length))
      files.set(name, await buffer(readZipPart(file, entry)))
    return files
  } finally {
    await file.close()
    await rm(path)
  }
}
