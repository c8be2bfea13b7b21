import type { FastifyRequest } from "fastify"
import { cleanText } from "#core/plain-text.ts"

export interface PostedFile {
  /** The component that it is for. */
  field: string
  content: Buffer
}

/** What was posted, whatever it is: nothing is known of it but its size. */
export interface Posted {
  values: ReadonlyMap<string, readonly string[]>
  files: readonly PostedFile[]
  /** A file was larger than allowed, or there were too many. */
  isTooLarge: boolean
}

export const fieldPrefix = "f."
export const maxFiles = 6
const maxFileBytes = 8 * 1024 ** 2
const maxFields = 200
const maxFieldBytes = 16 * 1024

/** Reads the fields of a public form, as a multipart form or URL-encoded. */
export async function readPost(request: FastifyRequest): Promise<Posted> {
  const values = new Map<string, string[]>()
  const add = (name: string, value: unknown) => {
    if (typeof value !== "string") return
    const text = cleanText(value)
    values.set(name, [...(values.get(name) ?? []), text])
  }
  if (!request.isMultipart()) {
    const { body } = request
    if (body instanceof URLSearchParams) for (const [name, value] of body) add(name, value)
    return { values, files: [], isTooLarge: false }
  }
  const files: PostedFile[] = []
  let isTooLarge = false
  // What is too large is cut and marked: the form comes back with what is wrong.
  const limits = {
    fileSize: maxFileBytes,
    files: maxFiles,
    fields: maxFields,
    fieldSize: maxFieldBytes,
    parts: maxFields + maxFiles,
  }
  const options = { limits, throwFileSizeLimit: false }
  try {
    for await (const part of request.parts(options)) {
      if (part.type === "field") add(part.fieldname, part.value)
      else {
        const content = await part.toBuffer()
        if (part.file.truncated) isTooLarge = true
        else if (content.length > 0 && part.fieldname.startsWith(fieldPrefix))
          files.push({ field: part.fieldname.slice(fieldPrefix.length), content })
      }
    }
  } catch (error) {
    const { code = "" } = error as { code?: string }
    if (!code.startsWith("FST_")) throw error
    isTooLarge = true
  }
  return { values, files, isTooLarge }
}

export function textIn({ values }: Posted, name: string): string {
  return values.get(name)?.[0] ?? ""
}
