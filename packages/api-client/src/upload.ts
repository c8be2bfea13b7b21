export interface UploadFile {
  /** The name that the server sees; its ending often decides what the file is taken for. */
  name: string
  /** A Blob streams: in Node, `openAsBlob(path)` of `node:fs` sends a file without reading it into memory. */
  content: Blob | Uint8Array<ArrayBuffer> | string
}

export interface UploadForm {
  path?: Record<string, string>
  query?: Record<string, unknown>
  /** Text parts of the form. What is no text is written as JSON; undefined is left out. */
  fields?: Readonly<Record<string, unknown>>
  files?: Readonly<Record<string, UploadFile>>
  signal?: AbortSignal
}

/** The form as the server reads it: text parts first, so that it knows what a file is for when it arrives. */
export function formOf({ fields = {}, files = {} }: UploadForm): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    form.append(name, typeof value === "string" ? value : JSON.stringify(value))
  }
  for (const [part, { name, content }] of Object.entries(files))
    form.append(part, content instanceof Blob ? content : new Blob([content]), name)
  return form
}
