import { runInThread, ThreadStopped, type ThreadTask } from "#core/threads/run-in-thread.ts"
import { importErrors } from "../errors.ts"
import type { ItemGroup } from "../rows/item-columns.ts"
import type { ColumnPlan } from "../rows/plan-columns.ts"
import type { Upload } from "./receive-upload.ts"
import type { SheetInput, SheetOutput, SheetStart, SheetWork, Spooled } from "./sheet-thread.ts"

/** Who waits for an upload to be read, and how large it may be. */
export interface Reading {
  organizationId: string
  maxFileBytes: number
  /** Seconds instead of what the size allows. */
  seconds?: number
}

/** A million rows of ten columns take ten seconds on a quiet machine. */
const leastSeconds = 60
const secondsPerMegabyte = 1

const module = new URL("./sheet-thread.ts", import.meta.url)
const wholeFile: ThreadTask<SheetInput, SheetOutput> = {
  name: "reading the file",
  module,
  pool: "files",
  seconds: leastSeconds,
}
const firstRows: ThreadTask<SheetInput, SheetOutput> = { ...wholeFile, pool: "quick" }

/** The first rows of an upload, and how many there are. Throws the refusal of a bad file. */
export async function readUploadStart(
  upload: Upload,
  reading: Reading,
  counted: { shownRows: number; countedRows: number },
): Promise<SheetStart> {
  const output = await read(upload, reading, { kind: "start", ...counted })
  if (output.kind !== "start") throw new Error("the first rows of an upload could not be read")
  return output.start
}

/** The rows of an upload in a file of their own. Throws the refusal of a bad file. */
export async function spoolUpload(upload: Upload, reading: Reading): Promise<Spooled> {
  const spooled = await spooledBy(upload, reading, { kind: "spool" })
  if (!spooled) throw new Error("an upload could not be spooled")
  return spooled
}

/** The same with the items of each task behind it; undefined where no items are on separate lines. */
export function gatherUpload(
  upload: Upload,
  reading: Reading,
  groups: readonly ItemGroup[],
  plan: ColumnPlan,
): Promise<Spooled | undefined> {
  return spooledBy(upload, reading, { kind: "gather", groups, plan })
}

async function spooledBy(upload: Upload, reading: Reading, work: SheetWork): Promise<Spooled | undefined> {
  const output = await read(upload, reading, work)
  return output.kind === "spooled" ? output.spooled : undefined
}

async function read({ folder, file }: Upload, reading: Reading, work: SheetWork): Promise<SheetOutput> {
  const { organizationId, maxFileBytes } = reading
  const megabytes = (file?.bytes ?? 0) / 1024 ** 2
  const seconds = reading.seconds ?? leastSeconds + megabytes * secondsPerMegabyte
  const task = { ...(work.kind === "start" ? firstRows : wholeFile), seconds }
  const input = { folder, path: file?.path ?? "", filename: file?.filename ?? "", maxFileBytes, work }
  const output = await runInThread(task, input, { organizationId }).catch((error) => {
    if (!(error instanceof ThreadStopped) || error.reason === "fault") throw error
    throw importErrors.badFile({
      message: `The file ${error.reason === "time" ? "takes too long" : "needs too much memory"} to read. Split it into smaller files`,
      cause: error,
    })
  })
  if (output.kind !== "refused") return output
  const make = output.code === "file-too-large" ? importErrors.tooLarge : importErrors.badFile
  throw make({ message: output.message })
}
