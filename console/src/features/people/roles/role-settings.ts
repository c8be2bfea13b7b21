import type { Role } from "../users/users.queries.ts"

/** Minutes between two positions and metres of movement that a phone sends by each profile. */
export const trackingProfiles: Readonly<Record<string, { interval: number; minDistance: number }>> = {
  "Power Saving": { interval: 10, minDistance: 10 },
  Balance: { interval: 3, minDistance: 20 },
  "High Accuracy": { interval: 1, minDistance: 10 },
}

export const trackingNumbers = [
  "interval",
  "minDistance",
  "accuracy",
  "checkinRadius",
  "checkoutRadius",
] as const

/** Start and finish of a working day: metres, and minutes for the interval; null is unset. */
export type TrackingSettings = { profile: string } & Record<(typeof trackingNumbers)[number], number | null>

const flowPermission = "add/task"
const trackingPermission = "view/checkincheckout"

const detailOf = (role: Role, permissionName: string) =>
  role.permissionDetails.find((detail) => detail.permissionName === permissionName)

/** Flows that the role can create tasks of; none selected means all. */
export function flowsOf(role: Role): string[] {
  const items = detailOf(role, flowPermission)?.items
  return Array.isArray(items) ? items.map(String) : []
}

export function trackingOf(role: Role): TrackingSettings {
  const detail = detailOf(role, trackingPermission)
  const profile = typeof detail?.profile === "string" ? detail.profile : "Balance"
  const numberOf = (key: (typeof trackingNumbers)[number]) =>
    typeof detail?.[key] === "number" ? detail[key] : null
  return {
    interval: numberOf("interval"),
    minDistance: numberOf("minDistance"),
    accuracy: numberOf("accuracy"),
    checkinRadius: numberOf("checkinRadius"),
    checkoutRadius: numberOf("checkoutRadius"),
    ...(detail ? {} : trackingProfiles[profile]),
    profile,
  }
}

/** The role's settings with these in place of its own; those of other permissions stay, and values that were never set stay unset. */
export function withSettings(
  role: Role,
  flowIds: readonly string[],
  tracking: TrackingSettings,
): Role["permissionDetails"] {
  const others = role.permissionDetails.filter(
    ({ permissionName }) => permissionName !== flowPermission && permissionName !== trackingPermission,
  )
  const isTracked =
    detailOf(role, trackingPermission) !== undefined ||
    JSON.stringify(tracking) !== JSON.stringify(trackingOf(role))
  return [
    ...others,
    { permissionName: flowPermission, items: flowIds.length === 0 ? null : [...flowIds] },
    ...(isTracked ? [{ permissionName: trackingPermission, ...tracking }] : []),
  ]
}
