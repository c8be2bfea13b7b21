import { AppError } from "#core/errors.ts"
import type { AppSource, WriteContext } from "../positions/index.ts"
import { checkKept, entryOf, type Retention, recordEntries, retentionDays } from "../positions/index.ts"
import type { DeviceHolder } from "./keys.ts"
import { noteUse } from "./keys.ts"
import { type DevicePosition, type DeviceReport, refusals } from "./protocols/device-report.ts"

export interface ReportOutcome {
  stored: number
  refused: { index: number | null; message: string }[]
}

/** A statement of this size stays well under a second. */
const pointsAtOnce = 5_000

/** Stores what a device reported as positions of its holder, and says what was refused and why. */
export async function recordReport(
  context: WriteContext,
  holder: DeviceHolder,
  protocol: AppSource,
  report: DeviceReport,
): Promise<ReportOutcome> {
  const retention = {
    now: context.now.epochMilliseconds,
    retentionDays: await retentionDays(context.pool, holder),
  }
  const refused: ReportOutcome["refused"] = report.refusals.map(({ index, reason, detail }) => ({
    index,
    message: detail ? `${refusals[reason].message} (${detail})` : refusals[reason].message,
  }))
  const self = { number: holder.number, userId: holder.userId, email: holder.email }
  const writer = {
    organizationId: holder.organizationId,
    organizationNumber: holder.organizationNumber,
    self,
    mayWriteOthers: false,
  }
  let stored = 0
  for (let start = 0; start < report.positions.length; start += pointsAtOnce) {
    const part = report.positions.slice(start, start + pointsAtOnce)
    const entries = part.map((position) => readPosition(position, protocol, retention))
    for (const outcome of await recordEntries(context, writer, entries)) {
      if (outcome.ok) stored += 1
      else refused.push({ index: null, message: outcome.refusal.message })
    }
  }
  await noteUse(context.pool, holder, protocol, refused.at(-1)?.message, context.now)
  return { stored, refused }
}

function readPosition(position: DevicePosition, protocol: AppSource, retention: Retention) {
  const recordedAt = position.recordedAt.getTime()
  try {
    checkKept("The time of the position", recordedAt, retention)
  } catch (error) {
    if (error instanceof AppError) return { email: null, refusal: error }
    throw error
  }
  const { activity, mock, extras } = position
  const details = {
    ...extras,
    ...(activity ? { activity } : {}),
    ...(mock ? { mockLocation: true } : {}),
  }
  return entryOf({
    lat: position.position[1],
    lng: position.position[0],
    recordedAt,
    createdFrom: protocol,
    speed: position.speedMetersPerSecond === undefined ? null : position.speedMetersPerSecond * 3.6,
    accuracy: position.accuracyMeters ?? null,
    altitude: position.altitudeMeters ?? null,
    bearing: position.bearingDegrees ?? null,
    battery: position.batteryPercent ?? null,
    charging: position.charging ?? null,
    data: Object.keys(details).length > 0 ? details : null,
  })
}
