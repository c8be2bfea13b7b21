import type { FileHandle } from "node:fs/promises"
import { promisify } from "node:util"
import { inflate, zstdDecompress } from "node:zlib"
import { ExtractError } from "./extract-error.ts"
import type { ExtractLimits } from "./limits.ts"
import { decodeSafely, MessageReader } from "./message-reader.ts"

/** Where a blob is stored in the file, known without reading it. */
export interface BlobPlace {
  readonly type: string
  readonly offset: number
  readonly size: number
  /** Where the next blob starts. */
  readonly next: number
}

const inflateZlib = promisify(inflate)
const inflateZstd = promisify(zstdDecompress)

/** Reads the header of the blob at `offset`; undefined at the end of the file. */
export async function readBlobPlace(
  file: FileHandle,
  offset: number,
  fileBytes: number,
  limits: ExtractLimits,
): Promise<BlobPlace | undefined> {
  if (offset === fileBytes) return undefined
  const length = (await readExactly(file, offset, 4)).readUInt32BE(0)
  if (length === 0 || length > limits.maxBlobHeaderBytes)
    throw new ExtractError(offset === 0 ? "not-an-extract" : "damaged", `block header at byte ${offset}`)
  const header = await readExactly(file, offset + 4, length, offset === 0)
  let parsed: { type: string; size: number }
  try {
    parsed = decodeSafely(() => parseBlobHeader(header))
  } catch (error) {
    if (offset === 0) throw new ExtractError("not-an-extract", undefined, { cause: error })
    throw error
  }
  const { type, size } = parsed
  if (offset === 0 && type !== "OSMHeader") throw new ExtractError("not-an-extract")
  if (!(size >= 0 && size <= limits.maxBlobBytes))
    throw new ExtractError("damaged", `block of ${size} bytes at byte ${offset}`)
  const start = offset + 4 + length
  if (start + size > fileBytes) throw new ExtractError("truncated")
  return { type, offset: start, size, next: start + size }
}

async function readExactly(
  file: FileHandle,
  offset: number,
  length: number,
  isStart = offset === 0,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, offset + done)
    if (bytesRead === 0) throw new ExtractError(isStart ? "not-an-extract" : "truncated")
    done += bytesRead
  }
  return buffer
}

function parseBlobHeader(bytes: Uint8Array): { type: string; size: number } {
  const reader = new MessageReader(bytes)
  let type = ""
  let size = -1
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    if (field === 1) type = reader.readText(bytes.length)
    else if (field === 3) size = reader.readVarint()
  }
  reader.checkEnd(bytes.length)
  return { type, size }
}

/** The inflated content of a blob. The declared size and the real one are both limited. */
export async function readBlob(
  file: FileHandle,
  place: BlobPlace,
  limits: ExtractLimits,
): Promise<Uint8Array> {
  const bytes = await readExactly(file, place.offset, place.size, false)
  const { compression, content, rawSize } = decodeSafely(() => parseBlob(bytes))
  if (rawSize > limits.maxBlobBytes) throw tooLarge(rawSize)
  if (compression === "none") {
    if (content.length > limits.maxBlobBytes) throw tooLarge(content.length)
    return content
  }
  const expand = compression === "zlib" ? inflateZlib : inflateZstd
  try {
    const inflated = await expand(content, { maxOutputLength: Math.max(1, rawSize || limits.maxBlobBytes) })
    if (rawSize !== 0 && inflated.length !== rawSize)
      throw new ExtractError("damaged", `a block inflates to ${inflated.length} instead of ${rawSize} bytes`)
    return inflated
  } catch (error) {
    if (error instanceof ExtractError) throw error
    const isLarger = error instanceof RangeError || codeOf(error) === "ERR_BUFFER_TOO_LARGE"
    throw new ExtractError(
      "damaged",
      isLarger ? "a block inflates to more than it declares or than 32 MB" : "a block does not inflate",
      { cause: error },
    )
  }
}

const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

const tooLarge = (bytes: number) => new ExtractError("damaged", `a block declares ${bytes} bytes`)

type Compression = "none" | "zlib" | "zstd"

function parseBlob(bytes: Uint8Array): { compression: Compression; content: Uint8Array; rawSize: number } {
  const reader = new MessageReader(bytes)
  let compression: Compression | undefined
  let content = bytes
  let rawSize = 0
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    if (field === 2) rawSize = reader.readVarint()
    else if (field === 1 || field === 3 || field === 7) {
      compression = field === 1 ? "none" : field === 3 ? "zlib" : "zstd"
      content = reader.readBytesWithin(bytes.length)
    } else if (field === 4 || field === 5 || field === 6)
      throw new ExtractError("unsupported", "compression with lzma, bzip2 or lz4")
  }
  reader.checkEnd(bytes.length)
  if (compression === undefined) throw new ExtractError("damaged", "a block without content")
  return { compression, content, rawSize }
}
