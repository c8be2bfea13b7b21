import { toWireLocation } from "../records/record-rows.ts"
import type { WireLocation } from "../schemas.ts"
import type { Tenant } from "./people.ts"
import type { NewPoint, StoredPoint } from "./store-points.ts"

/** A point that was just stored, as a read would show it; a statement less for each of thousands a second. */
export function toWirePoint(
  tenant: Tenant,
  point: NewPoint,
  stored: StoredPoint,
  writer: string,
): WireLocation {
  return toWireLocation(
    {
      ...point,
      kind: "point",
      personNumber: point.person.number,
      email: point.person.email,
      sessionId: null,
      recordedAt: Temporal.Instant.fromEpochMilliseconds(point.recordedAt),
      receivedAt: Temporal.Instant.fromEpochMilliseconds(stored.time),
      startedAt: null,
      updatedAt: null,
      finish: null,
      createdBy: writer,
      updatedBy: null,
      isLatest: stored.isLatest,
    },
    tenant,
  )
}
