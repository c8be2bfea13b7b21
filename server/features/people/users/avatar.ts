import type { FastifyRequest } from "fastify"
import { type Caller, may } from "#core/access/caller.ts"
import type { Pool, Sql } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { expectFile } from "#core/objects/loose-files.ts"
import type { Objects } from "#core/objects/objects.ts"
import { userErrors } from "./errors.ts"
import { visibleUsers } from "./queries.ts"

const maxBytes = 1024 * 1024

export interface AvatarUpload {
  userId: string | undefined
  content: Buffer
  extension: "jpg" | "png"
}

/** Reads the form: `_id` says whose avatar, `image` is a JPEG or PNG by its content, not by its name. */
export async function readAvatar(request: FastifyRequest): Promise<AvatarUpload> {
  let userId: string | undefined
  let content: Buffer | undefined
  const form = request.parts({ limits: { fileSize: maxBytes, files: 1 } })
  for await (const part of form) {
    if (part.type === "field") {
      if (part.fieldname === "_id") userId = String(part.value)
      continue
    }
    const bytes = await part.toBuffer().catch((cause: unknown) => {
      throw userErrors.badImage({ cause })
    })
    if (part.fieldname === "image") content = bytes
  }
  const extension = content && imageKind(content)
  if (!content || !extension) throw userErrors.badImage({ fields: { image: ["must be a JPEG or PNG"] } })
  return { userId, content, extension }
}

function imageKind(content: Buffer): "jpg" | "png" | undefined {
  if (content.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return "png"
  if (content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "jpg"
  return undefined
}

/** Stores the image under a name that nobody guesses, as files may be open to everybody with the address. */
export async function storeAvatar(
  sql: Pool,
  objects: Objects,
  organizationId: string,
  upload: AvatarUpload,
): Promise<string> {
  const key = `${organizationId}/avatars/${newId()}.${upload.extension}`
  await expectFile(sql, key)
  await objects.put(key, upload.content)
  return key
}

/** One's own picture, and those of members whom the caller sees and may read. */
export async function mayReadAvatar(sql: Sql, caller: Caller, key: string): Promise<boolean> {
  const rows = await sql<{ id: string }[]>`
    select users.id from users where ${visibleUsers(sql, caller)} and users.avatar like ${`%/files/${key}`}`
  return rows.some(
    ({ id }) => may(caller, "view/user") || (id === caller.userId && caller.tokenScopes === null),
  )
}
