import { createHash } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { FastifyRequest } from "fastify"
import { importErrors } from "../errors.ts"

export interface Upload {
  /** A folder of this upload's own, for the file and what is made of it; gone after `discard`. */
  folder: string
  /** Undefined when the form had no file. */
  file: { path: string; filename: string; bytes: number; sha256: Buffer } | undefined
  fields: Readonly<Record<string, string>>
  discard(): Promise<void>
}

/** Equal for forms with the same fields and file, whatever their boundary: see `onceForForm`. */
export function identityOf({ fields, file }: Upload): unknown {
  return [fields, file?.filename, file?.sha256.toString("hex")]
}

/**
 * Receives a multipart form piece by piece: the file goes to disk as it arrives, whatever the order of the
 * parts. An upload that breaks off or passes the limit throws and leaves nothing behind.
 */
export async function receiveUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart())
    throw importErrors.partMissing({ message: "Send the file as the part file of a multipart form" })
  const { dataDir, importMaxBytes } = request.server.settings
  const root = join(dataDir, "uploads")
  await mkdir(root, { recursive: true })
  const folder = await mkdtemp(join(root, "import-"))
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    const fields: Record<string, string> = {}
    let file: Upload["file"]
    for await (const part of request.parts()) {
      if (part.type === "field") {
        if (typeof part.value === "string" && part.value !== "") fields[part.fieldname] = part.value
      } else if (part.fieldname !== "file" || file) {
        part.file.resume()
      } else {
        const path = join(folder, "upload")
        const written = await writeToDisk(part.file, path)
        if (part.file.truncated) throw tooLarge(importMaxBytes)
        file = { path, filename: part.filename, ...written }
      }
    }
    return { folder, file, fields, discard }
  } catch (error) {
    await discard()
    if ((error as { code?: unknown }).code === "FST_REQ_FILE_TOO_LARGE") throw tooLarge(importMaxBytes)
    if (isBrokenOff(error))
      throw importErrors.partMissing({ message: "The upload was interrupted. Send it again", cause: error })
    throw error
  }
}

async function writeToDisk(content: NodeJS.ReadableStream, path: string) {
  const hash = createHash("sha256")
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(content, measure, createWriteStream(path, { mode: 0o600 }))
  return { bytes, sha256: hash.digest() }
}

function tooLarge(limitBytes: number) {
  const megabytes = Math.floor(limitBytes / 1024 ** 2)
  return importErrors.tooLarge({ message: `The file is larger than the limit of ${megabytes} MB` })
}

/** The form ended in the middle: a cut connection, or a body that is no complete form. */
function isBrokenOff(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return (
    code === "ERR_STREAM_PREMATURE_CLOSE" ||
    code === "ECONNRESET" ||
    /Unexpected end of (multipart|form)|Part terminated early|aborted/i.test(message ?? "")
  )
}
