/*
 * Sends a file as a client would: from a process of its own, whose work is not the server's. Instructed by its
 * parent what to send where, it returns the id of the import.
 */
import { openAsBlob } from "node:fs"

export interface UploadOrder {
  address: string
  token: string
  parts: Record<string, string>
  path: string
  filename: string
}

process.once("message", async ({ address, token, parts, path, filename }: UploadOrder) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.append(name, value)
  form.append("file", await openAsBlob(path), filename)
  const reply = await fetch(`${address}/api/v3/data/import?force=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const response = await reply.text()
  process.send?.(
    reply.ok ? { id: (JSON.parse(response) as { data: { _id: string } }).data._id } : { response },
  )
  process.disconnect?.()
})
process.send?.("ready")
