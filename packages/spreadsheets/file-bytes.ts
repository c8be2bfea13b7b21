import type { FileHandle } from "node:fs/promises"
import { SuspectFileError } from "./suspect-file.ts"

const chunkBytes = 32 * 1024

/** `length` bytes at `offset`. Throws SuspectFileError `damaged` when the file ends before. */
export async function readExactly(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done)
    if (bytesRead === 0) throw new SuspectFileError("damaged")
    done += bytesRead
  }
  return bytes
}

/**
 * The bytes from `start` up to `end` or the end of the file, in chunks, read as they are taken. Unlike
 * createReadStream, stopping early leaves the file open: one handle serves all parts of a workbook.
 */
export async function* fileChunks(
  file: FileHandle,
  start: number,
  end = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - at))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield bytesRead === chunk.length ? chunk : chunk.subarray(0, bytesRead)
  }
}
