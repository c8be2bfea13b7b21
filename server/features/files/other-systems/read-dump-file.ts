import { createReadStream, createWriteStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { JobContext } from "#core/jobs/define-job.ts"
import { runInThread, ThreadStopped, type ThreadTask } from "#core/threads/run-in-thread.ts"
import { storeFile } from "../exports/index.ts"
import { ReadingError } from "./problem.ts"
import type { ReadingRow } from "./queries.ts"
import type { TraccarCollection } from "./systems/traccar.ts"
import type { DumpInput, DumpOutput } from "./traccar-dump-thread.ts"

const task: ThreadTask<DumpInput, DumpOutput> = {
  name: "reading the dump",
  module: new URL("./traccar-dump-thread.ts", import.meta.url),
  pool: "files",
  seconds: 1_500,
}

/** Reads a list out of an uploaded dump, in a thread, and stores its rows under `fileKey` if there are any. */
export async function readDumpFile(
  context: JobContext,
  reading: ReadingRow,
  how: { folder: string; maxRows: number; fileKey: string },
): Promise<{ rowCount: number; emptyCount: number }> {
  const { objects, signal } = context
  const { organizationId, dumpKey } = reading
  const path = join(how.folder, "dump")
  const csvPath = join(how.folder, "csv")
  const stored = dumpKey === null ? undefined : await objects.open(dumpKey)
  if (!stored) throw new Error("the dump of a reading is not in the store")
  await pipeline(stored.stream, createWriteStream(path, { mode: 0o600 }), { signal })
  const input = {
    ...{ path, csvPath, rowsPath: join(how.folder, "rows"), maxRows: how.maxRows },
    collection: reading.collection as TraccarCollection,
  }
  const output = await runInThread(task, input, { organizationId, signal }).catch((error: unknown) => {
    if (!(error instanceof ThreadStopped) || error.reason === "fault" || signal.aborted) throw error
    throw new ReadingError("bad-dump", "The dump takes too long or needs too much memory to read", {
      reason: "it takes too long or needs too much memory",
      cause: error,
    })
  })
  if (output.kind === "too-many")
    throw new ReadingError("too-many-rows", `The list has more than ${how.maxRows} rows`)
  if (output.kind === "refused")
    throw new ReadingError("bad-dump", `The dump cannot be read: ${output.reason}`, { reason: output.reason })
  const { rowCount, emptyCount } = output
  if (rowCount > 0)
    await storeFile(context, how.fileKey, (out) => pipeline(createReadStream(csvPath), out, { end: false }))
  return { rowCount, emptyCount }
}
