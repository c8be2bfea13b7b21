import type { ProtocolName } from "#packages/tracker-protocols/index.ts"

/*
 * Words that repeat on millions of points are stored as small numbers. Never give a number another meaning. A new
 * source gets a number that neither table has.
 */

const appCodes = { osmand: 1, owntracks: 2, overland: 3, gpx: 4, kml: 11, geojson: 12 } as const
/** Apps of phones, and files of tracks. */
export type AppSource = keyof typeof appCodes

/** GPS trackers, whose data contains ignition, fuel and so on in known units. */
const trackerCodes = {
  teltonika: 5,
  gt06: 6,
  h02: 7,
  tk103: 8,
  queclink: 9,
  meitrack: 10,
} as const satisfies Readonly<Record<ProtocolName, number>>
export const trackerSources: readonly number[] = Object.values(trackerCodes)

export const sourceCodes = { ...appCodes, ...trackerCodes }
export type KnownSource = keyof typeof sourceCodes

export const eventCodes = { otw: 1, nearBy: 2, done: 3 } as const
export type EventName = keyof typeof eventCodes

/** The source of a point that names none. */
export const defaultSource = "mileAppField"

const sourcesByCode = new Map<number, KnownSource>(
  Object.entries(sourceCodes).map(([name, code]) => [code, name as KnownSource]),
)
const eventsByCode = new Map<number, EventName>(
  Object.entries(eventCodes).map(([name, code]) => [code, name as EventName]),
)

export function sourceCodeOf(name: string): number | undefined {
  return Object.hasOwn(sourceCodes, name) ? sourceCodes[name as KnownSource] : undefined
}

export function sourceOf(code: number | null): KnownSource | undefined {
  return code === null ? undefined : sourcesByCode.get(code)
}

export function isTracker(code: number | null): boolean {
  return code !== null && trackerSources.includes(code)
}

export function isEventName(name: unknown): name is EventName {
  return typeof name === "string" && Object.hasOwn(eventCodes, name)
}

export function eventOf(code: number | null): EventName | null {
  return code === null ? null : (eventsByCode.get(code) ?? null)
}
