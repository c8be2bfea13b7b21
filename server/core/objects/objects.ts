import type { Readable } from "node:stream"
import type { Config } from "../config.ts"

export interface StoredObject {
  stream: Readable
  sizeBytes: number
}

export interface ObjectRanges {
  /** Size of the object. */
  bytes: number
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Files of organizations: photos, imports, exports. A key is a path of `[A-Za-z0-9._@-]` segments that
 * starts with the organization's id; nothing else is accepted, so no key leaves its organization.
 */
export interface Objects {
  /** Stores the whole stream or nothing. Returns the number of bytes. */
  put(key: string, content: Readable | Buffer): Promise<number>
  open(key: string): Promise<StoredObject | undefined>
  /** For reading pieces of a large object in any order. Undefined when it is not there; the caller closes it. */
  openRanges(key: string): Promise<ObjectRanges | undefined>
  remove(key: string): Promise<void>
  /** Removes everything under a prefix, such as one organization. */
  removeUnder(prefix: string): Promise<void>
  list(prefix: string): AsyncIterable<string>
}

const keyPattern = /^[0-9a-f]{24}(\/[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,199})+$/

export function checkKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error("not an object key")
  return key
}

/**
 * Where files lie that one person alone asked for, such as an archive of everything: only a signed link opens them,
 * no token of a colleague and no setting that makes files public.
 */
export function privateKey(organizationId: string, name: string): string {
  return `${organizationId}/private/${safeName(name)}`
}

export function isPrivate(key: string): boolean {
  return key.split("/")[1] === "private"
}

/** `<organization>/<yyyy>/<mm>/<dd>/<epoch seconds>_<name>`, the layout of stored files on the wire. */
export function datedKey(organizationId: string, now: Temporal.Instant, name: string): string {
  const [year, month, day] = now.toString().slice(0, 10).split("-")
  const seconds = Math.floor(now.epochMilliseconds / 1000)
  return `${organizationId}/${year}/${month}/${day}/${seconds}_${safeName(name)}`
}

/** A file name without anything that a path, a header or a shell could misread. */
export function safeName(name: string): string {
  const cleaned = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "_")
    .replace(/^[._]+/, "")
  return cleaned.slice(-120) || "file"
}

export async function createObjects(config: Config): Promise<Objects> {
  const url = new URL(config.objectsUrl)
  if (url.protocol === "s3:") return (await import("./s3-objects.ts")).s3Objects(url)
  return (await import("./folder-objects.ts")).folderObjects(decodeURIComponent(url.pathname))
}
