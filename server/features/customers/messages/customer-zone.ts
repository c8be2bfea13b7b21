import zoneAt from "@photostructure/tz-lookup"

/** Degrees around a place in which the hub's zone counts: the lookup is coarse along borders. */
const borderDegrees = 0.25

/**
 * The time zone in which a customer is: that of the task's place. Near the hub's zone, at sea and without a place it is
 * the hub's.
 */
export function zoneOfCustomer(
  place: { lat: number | null; lng: number | null } | undefined,
  hubZone: string,
): string {
  if (!place || place.lat === null || place.lng === null) return hubZone
  const { lat, lng } = place
  const zones = [-borderDegrees, 0, borderDegrees].flatMap((north) =>
    [-borderDegrees, 0, borderDegrees].map((east) =>
      zoneAt(Math.max(-90, Math.min(90, lat + north)), ((lng + east + 540) % 360) - 180),
    ),
  )
  const own = zoneAt(lat, lng)
  return own.startsWith("Etc/") || zones.includes(hubZone) ? hubZone : own
}
