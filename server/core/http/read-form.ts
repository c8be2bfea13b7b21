import { createHash } from "node:crypto"
import type { FastifyRequest } from "fastify"
import { AppError } from "../errors.ts"

export interface FormFile {
  filename: string
  content: Buffer
  /** True when it was cut at the limit: what is here is not all of it. */
  isTruncated: boolean
}

export interface Form {
  fields: Record<string, unknown>
  files: Record<string, FormFile>
}

/** Equal for forms with the same fields and files, whatever their boundary: see `onceForForm`. */
export function identityOf({ fields, files }: Form): unknown {
  const hashes = Object.entries(files).map(([name, { filename, content }]) => [
    name,
    filename,
    createHash("sha256").update(content).digest("hex"),
  ])
  return [fields, hashes]
}

/** What a field of a form can be: an object is none, and could not even be shown as text. */
function isFormValue(value: unknown): boolean {
  const parts = Array.isArray(value) ? value : [value]
  return parts.every((part) => typeof part !== "object" || part === null)
}

/** Reads a small multipart form into memory, or takes a JSON body for one that has fields alone. */
export async function readForm(request: FastifyRequest, maxFileBytes: number): Promise<Form> {
  const form: Form = { fields: {}, files: {} }
  if (!request.isMultipart()) {
    const body: unknown = request.body
    if (typeof body === "object" && body !== null) Object.assign(form.fields, body)
    const { module = "sys" } = request.routeOptions.config
    for (const [name, value] of Object.entries(form.fields))
      if (!isFormValue(value))
        throw new AppError(400, `${module}-016`, `${name} must be text`, {
          fields: { [name]: ["must be text"] },
        })
    return form
  }
  // What is too large is cut and marked, so that the caller refuses it with its own code.
  const options = { limits: { fileSize: maxFileBytes, files: 4, fields: 50 }, throwFileSizeLimit: false }
  for await (const part of request.parts(options)) {
    if (part.type === "field") {
      form.fields[part.fieldname] = part.value
      continue
    }
    const pieces: Buffer[] = []
    for await (const piece of part.file) pieces.push(piece as Buffer)
    form.files[part.fieldname] = {
      filename: part.filename,
      content: Buffer.concat(pieces),
      isTruncated: part.file.truncated,
    }
  }
  return form
}

interface OneFile {
  name: string
  maxBytes: number
  tooLarge(details: { cause: unknown }): AppError
  interrupted(cause: unknown): AppError
}

/** The only file of a form. Undefined when it is missing or empty. */
export async function readOneFile(
  request: FastifyRequest,
  { name, maxBytes, tooLarge, interrupted }: OneFile,
): Promise<Buffer | undefined> {
  let content: Buffer | undefined
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes, files: 1 } })) {
      if (part.type === "file" && part.fieldname === name) content = await part.toBuffer()
      else if (part.type === "file") part.file.resume()
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    if (code === "FST_REQ_FILE_TOO_LARGE") throw tooLarge({ cause: error })
    // Too many files or fields: the handler of errors has the texts.
    if (error instanceof AppError || code.endsWith("_LIMIT")) throw error
    throw interrupted(error)
  }
  return content?.length ? content : undefined
}
