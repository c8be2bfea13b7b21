import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { rename, rm, stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createObjects, type Objects } from "#core/objects/objects.ts"
import { CommandRefusal, runCommand } from "./command.ts"

/** No organization has this id: segments are beside the files of organizations and are never served. */
const prefix = `${"0".repeat(24)}/wal`
const namePattern = /^[0-9A-Z]{8,40}(\.[0-9A-Za-z]{1,20}){0,2}$/

/** For `archive_command`: stores a WAL segment. An existing one is never replaced; the same content counts as stored. */
export async function push(objects: Objects, path: string, name: string): Promise<void> {
  const stored = await objects.open(keyOf(name))
  if (stored) {
    if ((await digest(stored.stream)) === (await digest(createReadStream(path)))) return
    throw new CommandRefusal(`${name} is archived already with different content. It was not replaced`)
  }
  const { size } = await stat(path)
  const bytes = await objects.put(keyOf(name), createReadStream(path))
  if (bytes !== size) throw new CommandRefusal(`${name}: ${bytes} of ${size} bytes were stored`)
}

/** For `restore_command`: exit code 1 says that the archive has no such segment, which ends the recovery. */
export async function fetchSegment(objects: Objects, name: string, path: string): Promise<void> {
  const stored = await objects.open(keyOf(name))
  if (!stored) throw new CommandRefusal(`${name} is not in the archive`)
  const partial = `${path}.partial`
  try {
    await pipeline(stored.stream, createWriteStream(partial))
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

function keyOf(name: string): string {
  if (!namePattern.test(name)) throw new CommandRefusal(`${name} is no name of a WAL segment`)
  return `${prefix}/${name}`
}

async function digest(stream: Readable): Promise<string> {
  const hash = createHash("sha256")
  await pipeline(stream, hash)
  return hash.digest("hex")
}

/** Removes segments that are older than `oldest`, such as that of the oldest base backup. Returns how many. */
export async function prune(objects: Objects, oldest: string): Promise<number> {
  keyOf(oldest)
  const limit = oldest.slice(8, 24)
  let removed = 0
  for await (const key of objects.list(`${prefix}/`)) {
    const name = key.slice(prefix.length + 1)
    // The timeline, the first eight digits, does not order segments; history files are small and stay.
    if (name.endsWith(".history") || name.slice(8, 24) >= limit) continue
    await objects.remove(key)
    removed++
  }
  return removed
}

if (import.meta.main)
  await runCommand(async ({ config, args: [verb, one = "", two = ""] }) => {
    const objects = await createObjects(config)
    if (verb === "push" && two !== "") return push(objects, one, two)
    if (verb === "fetch" && two !== "") return fetchSegment(objects, one, two)
    if (verb === "prune" && one !== "")
      return void process.stdout.write(`${await prune(objects, one)} segments removed\n`)
    throw new CommandRefusal("usage: wal.ts push <path> <name> | fetch <name> <path> | prune <oldest name>")
  })
