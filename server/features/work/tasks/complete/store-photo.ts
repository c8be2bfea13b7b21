import { createHash } from "node:crypto"
import type { FastifyRequest } from "fastify"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { findUploads, linkUpload } from "#core/objects/file-owners.ts"
import { discardFiles, expectFile, keepFile } from "#core/objects/loose-files.ts"
import { datedKey, safeName } from "#core/objects/objects.ts"
import { isStoreAway } from "#core/objects/store-faults.ts"
import { taskErrors } from "../errors.ts"

const namesTask = /^[0-9a-f]{24}_/i

/**
 * A device whose connection broke off sends a photo of a task again and gets the address of the first copy. Two requests at
 * once both store it, and the later one to commit discards its own.
 */
export async function storePhoto(
  app: App,
  { sql, caller }: Pick<FastifyRequest, "sql" | "caller">,
  name: string,
  photo: Buffer,
): Promise<string> {
  const hash = namesTask.test(name) ? createHash("sha256").update(photo).digest() : null
  const earlier = hash && (await findEarlier(app, { sql, caller }, hash, name))
  if (earlier) return earlier
  const stored = await store(app, datedKey(caller.organizationId, app.clock.now(), name), photo)
  return inTransaction(sql, async (tx) => {
    if (hash) await tx`select pg_advisory_xact_lock(hashtextextended(${`photo ${hash.toString("hex")}`}, 0))`
    const meanwhile = hash && (await findEarlier(app, { sql: tx, caller }, hash, name))
    if (meanwhile) {
      await discardFiles(tx, app.objects, [stored])
      return meanwhile
    }
    await linkUpload(tx, caller, stored, hash)
    await keepFile(tx, stored)
    return stored
  })
}

/** The key of the same photo with the same name, if its file is still there. */
async function findEarlier(
  { objects }: App,
  { sql, caller }: { sql: Sql; caller: Caller },
  hash: Buffer,
  name: string,
): Promise<string | undefined> {
  const wanted = safeName(name)
  for (const key of await findUploads(sql, caller, hash)) {
    if (key.slice(key.lastIndexOf("/") + 1).replace(/^\d+_/, "") !== wanted) continue
    const found = await fromStore(objects.open(key))
    found?.stream.destroy()
    if (found) return key
  }
  return undefined
}

/** Stores under the first free name: two photos with one name in one second are both kept. */
async function store({ sql, objects }: App, key: string, photo: Buffer): Promise<string> {
  const dot = key.lastIndexOf(".")
  const [stem, extension] = [key.slice(0, dot), key.slice(dot)]
  for (let copy = 1; ; copy += 1) {
    const candidate = copy === 1 ? key : `${stem}_${copy}${extension}`
    const existing = await fromStore(objects.open(candidate))
    if (existing) {
      existing.stream.destroy()
      continue
    }
    await expectFile(sql, candidate)
    await fromStore(objects.put(candidate, photo))
    return candidate
  }
}

/** A store that is away is a matter of trying again, which the response says in the same way everywhere. */
async function fromStore<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isStoreAway(error)) throw error
    throw taskErrors.uploadFailed({ cause: error })
  }
}
