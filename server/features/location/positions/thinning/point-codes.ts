/**
 * Words that repeat on millions of points are stored as small numbers. Never give a number another meaning.
 */
export const sourceCodes = { osmand: 1, owntracks: 2, overland: 3, gpx: 4 } as const
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

export function isEventName(name: unknown): name is EventName {
  return typeof name === "string" && Object.hasOwn(eventCodes, name)
}

export function eventOf(code: number | null): EventName | null {
  return code === null ? null : (eventsByCode.get(code) ?? null)
}
