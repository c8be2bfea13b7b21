import type { FastifyRequest } from "fastify"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { readOneFile } from "#core/http/read-form.ts"
import { runInThread, ThreadStopped, type ThreadTask } from "#core/threads/run-in-thread.ts"
import type { WrittenPosition } from "#packages/geo-files/track.ts"
import { locationErrors } from "../errors.ts"
import { retentionDays } from "../settings.ts"
import { isVisible, visiblePeople } from "../sharing/visible-people.ts"
import { checkKept, entryOf, type Retention } from "../store/location-entry.ts"
import { findMember, type Member, tenantOf } from "../store/people.ts"
import { recordEntries, type WriteContext, writerOf } from "../store/record-entries.ts"
import type { TrackInput, TrackOutput } from "./read-track-thread.ts"

const maxTrackFileBytes = 20 * 1024 ** 2
const maxTrackPositions = 100_000
/** A statement of this size stays well under a second. */
const positionsAtOnce = 5_000

const readingTrack: ThreadTask<TrackInput, TrackOutput> = {
  name: "reading the track",
  module: new URL("./read-track-thread.ts", import.meta.url),
  pool: "quick",
  seconds: 60,
}

/** What became of each position of the file: stored, there already, or refused for one of the reasons. */
interface TrackImport {
  tracks: number
  positions: number
  stored: number
  known: number
  refused: { reason: string; count: number }[]
}

/** The person of a path, whom the caller sees. */
export async function findVisibleMember(sql: Sql, caller: Caller, userId: string): Promise<Member> {
  const person = await findMember(sql, caller, userId)
  if (!person || !isVisible(await visiblePeople(sql, caller), person.number)) throw locationErrors.notFound()
  return person
}

/** Stores the tracks of a file as positions of a person. A file that cannot be read stores nothing. */
export async function importTrack(
  context: WriteContext,
  caller: Caller,
  person: Pick<Member, "email">,
  bytes: Uint8Array,
): Promise<TrackImport> {
  const track = await readTrackFile(caller, bytes)
  const retention: Retention = {
    now: context.now.epochMilliseconds,
    retentionDays: await retentionDays(context.pool, tenantOf(caller)),
  }
  const reasons = new Map<string, number>()
  const refuse = (reason: string, count = 1) => reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  if (track.skipped > 0) refuse("A position has no time or no valid coordinates", track.skipped)
  let stored = 0
  let known = 0
  for (let start = 0; start < track.positions.length; start += positionsAtOnce) {
    const entries = track.positions
      .slice(start, start + positionsAtOnce)
      .map((position) => toEntry(position, { email: person.email, createdFrom: track.format }, retention))
    for (const outcome of await recordEntries(context, writerOf(caller), entries)) {
      if (!outcome.ok) refuse(outcome.refusal.message)
      else if (outcome.kind === "point" && outcome.stored.isDuplicate) known++
      else stored++
    }
  }
  return {
    tracks: track.trackCount,
    positions: track.positions.length + track.skipped,
    stored,
    known,
    refused: [...reasons].map(([reason, count]) => ({ reason, count })),
  }
}

async function readTrackFile({ organizationId }: Caller, bytes: Uint8Array) {
  const input = { bytes, maxPositions: maxTrackPositions }
  const output = await runInThread(readingTrack, input, { organizationId }).catch((error) => {
    if (!(error instanceof ThreadStopped) || error.reason === "fault") throw error
    throw locationErrors.badFile({ message: "The file takes too long to read. Split it", cause: error })
  })
  if ("refused" in output) throw locationErrors.badFile({ message: output.refused })
  if (output.positions.length > 0 || output.skipped > 0) return output
  const message = "The file contains no tracks with times. Import places on the page Imports"
  throw locationErrors.badFile({ message })
}

function toEntry(
  position: WrittenPosition,
  known: { email: string; createdFrom: string },
  retention: Retention,
) {
  const { recordedAt, position: place, speedMetersPerSecond: speed } = position
  const [lng, lat] = place
  try {
    checkKept("The time of a position", recordedAt, retention)
  } catch (error) {
    if (error instanceof AppError) return { email: known.email, refusal: error }
    throw error
  }
  return entryOf({
    ...known,
    ...{ lat, lng, recordedAt },
    speed: speed === undefined ? null : speed * 3.6,
    altitude: position.altitudeMeters ?? null,
    bearing: position.bearingDegrees ?? null,
  })
}

/** The part `file` of a form. */
export async function readTrackUpload(request: FastifyRequest): Promise<Uint8Array> {
  if (!request.isMultipart())
    throw locationErrors.required({ message: "Send the track as the part file of a form" })
  const bytes = await readOneFile(request, {
    name: "file",
    maxBytes: maxTrackFileBytes,
    tooLarge: locationErrors.fileTooLarge,
    interrupted: (cause) =>
      locationErrors.required({ message: "The upload was interrupted. Send it again", cause }),
  })
  if (!bytes) throw locationErrors.required({ message: "The part file is missing" })
  return bytes
}
