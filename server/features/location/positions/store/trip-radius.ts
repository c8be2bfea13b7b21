import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { valueNumber } from "#shared/values.ts"
import { listHubs } from "../../../organization/hubs/index.ts"
import type { LocationEntry } from "./location-entry.ts"

/** Where the role of the writer lets trips begin and end: metres around one of their hubs, 0 for anywhere. */
export interface TripRadius {
  start: number
  finish: number
  caller: Caller
}

export function tripRadiusOf(caller: Caller): TripRadius | undefined {
  if (!caller.permissions.has("view/checkincheckout")) return undefined
  const detail = caller.permissionDetails.find(
    ({ permissionName }) => permissionName === "view/checkincheckout",
  )
  const [start, finish] = [valueNumber(detail?.checkinRadius) ?? 0, valueNumber(detail?.checkoutRadius) ?? 0]
  return start > 0 || finish > 0 ? { start, finish, caller } : undefined
}

/**
 * Says where a trip began or ended too far from every hub. It is stored all the same, with this among its data: the
 * phone has refused what it could know, and a dispatcher decides about the rest.
 */
export async function outsideRadius(
  sql: Sql,
  radius: TripRadius | undefined,
  entry: LocationEntry,
): Promise<Record<string, unknown> | undefined> {
  const isStart = entry.startedAt !== null
  const meters = (isStart ? radius?.start : radius?.finish) ?? 0
  if (!radius || meters <= 0) return undefined
  const hubs = await listHubs(sql, radius.caller, { direction: "asc" })
  if (hubs.length === 0) return undefined
  const distance = Math.min(...hubs.map(({ lat, lng }) => distanceMeters([entry.lng, entry.lat], [lng, lat])))
  // An inaccurate position may be wrong by as much again as is allowed, but not by more.
  if (distance <= meters + Math.min(entry.accuracy ?? 0, meters)) return undefined
  const text = `The trip ${isStart ? "began" : "ended"} ${Math.round(distance)} m from the nearest hub: at most ${meters} m are allowed`
  return isStart
    ? { startDistance: Math.round(distance), startReview: text }
    : { finishDistance: Math.round(distance), finishReview: text }
}
