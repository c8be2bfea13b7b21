import { randomBytes } from "node:crypto"
import fs, { createReadStream, createWriteStream } from "node:fs"
import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { checkKey, type Objects } from "./objects.ts"

const openNumber = promisify(fs.open)
const statNumber = promisify(fs.fstat)
const closeNumber = promisify(fs.close)

/** Objects as files below one folder. A file appears under its name only when it is complete and on disk. */
export function folderObjects(root: string): Objects {
  const pathOf = (key: string) => join(root, checkKey(key))
  return {
    async put(key, content) {
      const path = pathOf(key)
      const draft = `${path}.${randomBytes(6).toString("hex")}.part`
      await mkdir(dirname(path), { recursive: true })
      try {
        await pipeline(
          content instanceof Readable ? content : Readable.from([content]),
          createWriteStream(draft),
        )
        const size = await syncToDisk(draft)
        await rename(draft, path)
        return size
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async open(key) {
      // Opened before the stream is: one that fails to open a file that was removed meanwhile emits an error that nobody
      // listens for yet. By its number: a FileHandle whose stream is never read would end the process.
      const path = pathOf(key)
      const fd = await openNumber(path, "r").catch(() => undefined)
      if (fd === undefined) return undefined
      const found = await statNumber(fd)
      if (found.isFile()) return { stream: createReadStream(path, { fd }), sizeBytes: found.size }
      await closeNumber(fd)
      return undefined
    },
    async openRanges(key) {
      const file = await open(pathOf(key), "r").catch(() => undefined)
      if (!file) return undefined
      const found = await file.stat().catch(async (error: unknown) => {
        await file.close()
        throw error
      })
      return {
        bytes: found.size,
        async read(offset, length) {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
          return buffer.subarray(0, bytesRead)
        },
        close: () => file.close(),
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    removeUnder: (prefix) => rm(join(root, checkPrefix(prefix)), { recursive: true, force: true }),
    async *list(prefix) {
      const folder = join(root, checkPrefix(prefix))
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      for (const entry of entries) {
        const isComplete = entry.isFile() && !entry.name.endsWith(".part")
        if (isComplete) yield relative(root, join(entry.parentPath, entry.name))
      }
    },
  }
}

/** Returns the size in bytes. */
async function syncToDisk(path: string): Promise<number> {
  const file = await open(path, "r+")
  try {
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

function checkPrefix(prefix: string): string {
  if (!/^[0-9a-f]{24}(\/[A-Za-z0-9_@-][A-Za-z0-9._@-]*)*\/?$/.test(prefix))
    throw new Error("not an object prefix")
  return prefix
}
