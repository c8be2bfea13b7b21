import type { Write } from "./field-store.ts"

/** How much of the phone this page uses, and how much it may use, in bytes. */
export interface Usage {
  used: number
  quota: number
  /** The browser has promised not to delete it when the disk is full. */
  isPersistent: boolean
}

/** Below this no photo is taken in: what is entered for the task must still fit. */
const reserveBytes = 12_000_000
/** Below this photos are sent before their task is finished. */
const lowBytes = 60_000_000

export async function readUsage(): Promise<Usage | undefined> {
  if (!("storage" in navigator) || !navigator.storage.estimate) return undefined
  const { usage = 0, quota = 0 } = await navigator.storage.estimate()
  const isPersistent = (await navigator.storage.persisted?.()) ?? false
  return { used: usage, quota, isPersistent }
}

/** Asks the browser to keep what is here even when the phone runs out of space. */
export async function askToPersist(): Promise<void> {
  if ((await navigator.storage?.persisted?.()) === false) await navigator.storage.persist?.()
}

export function isNearlyFull(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.quota > 0 && usage.quota - usage.used < reserveBytes
}

export function isLow(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.quota > 0 && usage.quota - usage.used < lowBytes
}

type Values = Readonly<Record<string, unknown>>

const filePrefix = "kept-file:"

/** A photo or recording as its bytes: kept once under a name of its own, not with every letter that is entered. */
function isFile(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("data:") && value.length > 512
}

/** Names of the files that are kept already, by content. */
export type KnownFiles = ReadonlyMap<string, string>

/**
 * Values with the names of files in the place of their bytes, and what has to be written for that. Once it is written,
 * `known` is what is kept.
 */
export function packFiles(
  values: Values,
  before: KnownFiles,
): { packed: Values; writes: Write[]; known: KnownFiles } {
  const writes: Write[] = []
  const known = new Map<string, string>()
  const packed = mapTexts(values, (text) => {
    if (!isFile(text)) return text
    const kept = known.get(text) ?? before.get(text)
    const name = kept ?? newName()
    known.set(text, name)
    if (kept === undefined) writes.push({ in: "files", key: name, value: text })
    return filePrefix + name
  }) as Values
  for (const [content, name] of before) if (!known.has(content)) writes.push({ in: "files", remove: name })
  return { packed, writes, known }
}

/** The opposite of `packFiles`. A file that is not there any more is left out. */
export async function unpackFiles(
  packed: Values,
  recall: (name: string) => Promise<string | undefined>,
): Promise<{ values: Record<string, unknown>; known: KnownFiles }> {
  const names = fileNames(packed)
  const contents = new Map<string, string>()
  await Promise.all(
    names.map(async (name) => {
      const content = await recall(name)
      if (content !== undefined) contents.set(name, content)
    }),
  )
  const values = mapTexts(packed, (text) =>
    text.startsWith(filePrefix) ? contents.get(text.slice(filePrefix.length)) : text,
  ) as Record<string, unknown>
  return { values, known: new Map([...contents].map(([name, content]) => [content, name])) }
}

export function fileNames(packed: unknown): string[] {
  const names: string[] = []
  mapTexts(packed, (text) => {
    if (text.startsWith(filePrefix)) names.push(text.slice(filePrefix.length))
    return text
  })
  return names
}

/** Maps every text within arrays and plain objects; texts that become undefined vanish from arrays. */
function mapTexts(value: unknown, map: (text: string) => string | undefined): unknown {
  if (typeof value === "string") return map(value)
  if (Array.isArray(value))
    return value.map((entry) => mapTexts(entry, map)).filter((entry) => entry !== undefined)
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, map)]))
  return value
}

/** A name that no other phone gives. `crypto.randomUUID` exists only where the page came over TLS. */
export function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
