import { randomFillSync } from "node:crypto"
import { Type } from "typebox"

declare const kind: unique symbol

/** An identifier of one kind of row: 24 lower-case hex characters. A hub's id does not pass for a task's. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind }

export const idPattern = /^[0-9a-fA-F]{24}$/

/** The wire schema of an id. Upper-case hex is accepted and lower-cased where rows are looked up. */
export function IdSchema<const Kind extends string>(_kind: Kind) {
  return Type.Unsafe<Id<Kind>>(
    Type.String({ pattern: "^[0-9a-fA-F]{24}$", examples: ["6a01c0ffee5de0b4a7710c11"] }),
  )
}

/** So many ids stay below the 8 kB of an address that proxies allow. The pattern below has one less. */
export const maxListedIds = 250

/** Ids separated by commas, as queries have them; `idsOf` reads them. */
export function IdListSchema(description: string) {
  return Type.String({
    pattern: "^[0-9a-fA-F]{24}(,[0-9a-fA-F]{24}){0,249}$",
    description,
    examples: ["6a01c0ffee5de0b4a7710c11"],
  })
}

export function idsOf(text: string | undefined): string[] | undefined {
  return text?.toLowerCase().split(",")
}

const idBytes = 8
/** Random bytes for the next ids: asking for each eight of them costs an import a tenth of its time. */
const pool = Buffer.alloc(idBytes * 512)
let used = pool.length

/** Random bytes as hex digits: for ids, not for secrets. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString("hex", used - bytes, used)
}

/**
 * A new identifier: 8 hex digits of the Unix time in seconds, then 16 random ones, so that ids made
 * later sort later (to the second) and indexes grow at their end.
 */
export function newId<Kind extends string>(nowMilliseconds: number = Date.now()): Id<Kind> {
  const seconds = Math.floor(nowMilliseconds / 1000)
    .toString(16)
    .padStart(8, "0")
  return (seconds + randomHex(idBytes)) as Id<Kind>
}

/** New identifiers for rows that are written together: in ascending order, so that indexes grow at their very end. */
export function newIds<Kind extends string>(count: number, nowMilliseconds: number): Id<Kind>[] {
  return Array.from({ length: count }, () => newId<Kind>(nowMilliseconds)).sort()
}

export function isId(text: unknown): text is string {
  return typeof text === "string" && idPattern.test(text)
}
