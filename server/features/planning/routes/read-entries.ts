import { AppError } from "#core/errors.ts"
import { commaList, parseNumber } from "#core/http/tolerance.ts"
import { entryReader } from "#core/http/validation.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { isBreakOutside } from "#shared/break-time.ts"
import { isLoad, largestLoad } from "#shared/load.ts"
import { daySeconds } from "../../../../packages/route-optimizer/problem/days.ts"
import { isDay, termProblem } from "../../work/vehicles/index.ts"
import { parseClock } from "./clock-time.ts"
import { routeErrors } from "./errors.ts"
import { withoutImpossibleLinks } from "./plan/links.ts"
import { withoutImpossiblePairs } from "./plan/pairs.ts"
import type { InputVehicle, InputVisit, OwnPlace, Span } from "./plan/run-input.ts"
import { type SpanInput, type VehicleInput, VisitInput } from "./request-schemas.ts"

const noSpan: Span = { startTime: null, endTime: null }

const readEntry = entryReader(VisitInput, "route")

/** Visits as they are planned. One that no plan could make sense of is kept with the reason, to be dropped with it. */
export function readVisits(entries: readonly unknown[]): InputVisit[] {
  const visits = entries.map((entry, index): InputVisit => {
    const sent = typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>) : {}
    const given = typeof sent.visitTime === "string" ? { givenVisitTime: sent.visitTime } : {}
    try {
      return { ...readVisit(readEntry(entry)), ...given }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...invalidVisit(sent, index, error.message), ...given }
    }
  })
  refuseDoubles(visits, "visits")
  return withoutImpossibleLinks(withoutImpossiblePairs(visits))
}

function readVisit(entry: VisitInput): InputVisit {
  const name = (entry.name ?? entry.visitName ?? "").trim()
  if (name === "") throw refusal("001", "name", "is required")
  if (/^(reload-)?hub-/.test(entry.id)) throw refusal("003", "id", "must not start with hub- or reload-hub-")
  const position = parseLatLng(entry.coordinate)
  const releaseTime = readTime(entry.releaseTime, "releaseTime")
  for (const list of ["days", "preferredDays"] as const) {
    const wrongDay = entry[list]?.findIndex((day) => !isDay(day)) ?? -1
    if (wrongDay >= 0) throw refusal("018", `${list}.${wrongDay}`, "must be a day such as 2031-05-04")
  }
  const timeWindows = entry.timeWindows?.map((span, w) => readSpan(span, `timeWindows.${w}`))
  return {
    id: entry.id,
    name,
    address: entry.address,
    coordinate: entry.coordinate,
    ...(position ? { position } : {}),
    capacity: readDemand(entry.capacity, "capacity"),
    timeWindow: entry.timeWindow ? readSpan(entry.timeWindow, "timeWindow") : noSpan,
    ...(timeWindows && timeWindows.length > 0 ? { timeWindows } : {}),
    visitTime: entry.visitTime ?? null,
    tags: cleanTags(entry.tags),
    ...(entry.assignedVehicleId ? { assignedVehicleId: entry.assignedVehicleId } : {}),
    ...(entry.preferredVehicle ? { preferredVehicle: entry.preferredVehicle } : {}),
    ...(entry.visitGroup ? { visitGroup: entry.visitGroup } : {}),
    ...(typeof entry.visitGroupPriority === "number" ? { visitGroupPriority: entry.visitGroupPriority } : {}),
    ...(typeof entry.useVisitGroup === "boolean" ? { useVisitGroup: entry.useVisitGroup } : {}),
    ...(typeof entry.priority === "number" ? { priority: entry.priority } : {}),
    ...(releaseTime === null ? {} : { releaseTime }),
    ...(entry.pickupVisitId ? { pickupVisitId: entry.pickupVisitId } : {}),
    ...(entry.after && entry.after.length > 0 ? { after: entry.after } : {}),
    ...((entry.workers ?? 1) > 1 ? { workers: entry.workers } : {}),
    ...(entry.days && entry.days.length > 0 ? { days: entry.days } : {}),
    ...(entry.preferredDays && entry.preferredDays.length > 0 ? { preferredDays: entry.preferredDays } : {}),
  }
}

/** What is known of a visit that could not be read. */
function invalidVisit(sent: Readonly<Record<string, unknown>>, index: number, invalid: string): InputVisit {
  const text = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? String(value).slice(0, 1000) : ""
  return {
    id: text(sent.id) || `visits.${index}`,
    name: text(sent.name) || text(sent.visitName),
    address: text(sent.address),
    coordinate: text(sent.coordinate),
    invalid,
    capacity: {},
    timeWindow: noSpan,
    visitTime: null,
    tags: [],
  }
}

interface VehicleDefaults {
  /** km/h */
  readonly speed: number
  readonly isSpeedAuto: boolean
  readonly hubId: string
  readonly subHubIds: readonly string[]
}

/** Vehicles as they are planned. One without working hours has those of the others, else 8:00 to 17:00. */
export function readVehicles(entries: readonly VehicleInput[], defaults: VehicleDefaults): InputVehicle[] {
  refuseDoubles(entries, "vehicles")
  const hours = entries.map((entry, index) => readHours(entry.workingTime, `vehicles.${index}.workingTime`))
  const usual = hours.find((span) => span !== undefined) ?? { startTime: "08:00", endTime: "17:00" }
  return entries.map((entry, index): InputVehicle => {
    const at = `vehicles.${index}`
    const oddEven = entry.oddEven?.trim().toLowerCase() || null
    if (oddEven !== null && oddEven !== "odd" && oddEven !== "even")
      throw refusal("017", `${at}.oddEven`, "must be odd or even")
    const workingTime = hours[index] ?? usual
    const breakTime = entry.breakTime ? readSpan(entry.breakTime, `${at}.breakTime`) : noSpan
    if ((breakTime.startTime === null) !== (breakTime.endTime === null))
      throw refusal("018", `${at}.breakTime`, "must have both a start and an end")
    if (isBreakOutside(workingTime, breakTime))
      throw refusal("009", `${at}.breakTime`, `of ${entry.name} must begin within its working time`)
    checkBreakLength(entry, breakTime, at)
    const problem = termProblem(entry)
    if (problem) throw refusal("003", `${at}.${problem.field}`, problem.text)
    const subHub = entry.hubId?.toLowerCase() ?? ""
    return {
      id: entry.id,
      name: entry.name,
      assignee: entry.assignee?.trim().toLowerCase() ?? "",
      speed: defaults.isSpeedAuto ? defaults.speed : (entry.speed ?? defaults.speed),
      isSpeedAuto: defaults.isSpeedAuto,
      fixedCost: entry.fixedCost ?? 0,
      oddEven,
      capacity: readLimits(entry.capacity, `${at}.capacity`),
      tags: cleanTags(entry.tags),
      workingTime,
      breakTime,
      hubId: defaults.subHubIds.includes(subHub) ? subHub : defaults.hubId,
      allowSubHub: entry.allowSubHub ?? false,
      ...(entry.startCoordinate ? { start: readPlace(entry.startCoordinate, `${at}.startCoordinate`) } : {}),
      ...(entry.endCoordinate ? { end: readPlace(entry.endCoordinate, `${at}.endCoordinate`) } : {}),
      ...(typeof entry.maxDuration === "number" ? { maxDuration: entry.maxDuration } : {}),
      ...(typeof entry.maxDistance === "number" ? { maxDistance: entry.maxDistance } : {}),
      ...(entry.breakMinutes ? { breakMinutes: entry.breakMinutes } : {}),
      ...(entry.workDays ? { workDays: entry.workDays } : {}),
      ...(entry.daysOff && entry.daysOff.length > 0 ? { daysOff: entry.daysOff } : {}),
      ...(entry.maxOvertime ? { maxOvertime: entry.maxOvertime } : {}),
      ...(entry.costs ? { costs: entry.costs } : {}),
      ...(entry.co2PerKilometer ? { co2PerKilometer: entry.co2PerKilometer } : {}),
      ...(entry.skills && entry.skills.length > 0 ? { skills: entry.skills } : {}),
    }
  })
}

function checkBreakLength({ breakMinutes }: VehicleInput, { startTime, endTime }: Span, at: string): void {
  if (!breakMinutes) return
  const [from, to] = [startTime, endTime].map((text) => (text === null ? undefined : parseClock(text)))
  if (from === undefined || to === undefined)
    throw refusal("018", `${at}.breakMinutes`, "needs a breakTime within which the break is taken")
  if ((to > from ? to - from : to + daySeconds - from) < breakMinutes * 60)
    throw refusal("018", `${at}.breakMinutes`, "must not be longer than breakTime")
}

function readPlace(coordinate: string, field: string): OwnPlace {
  const position = parseLatLng(coordinate)
  if (!position) throw refusal("003", field, 'must be "latitude,longitude"')
  return { coordinate, position }
}

export function refusal(code: string, field: string, problem: string): AppError {
  return new AppError(400, `route-${code}`, `${field} ${problem}`, { fields: { [field]: [problem] } })
}

function refuseDoubles(entries: readonly { id: string }[], list: string): void {
  const seen = new Map<string, number>()
  for (const [index, { id }] of entries.entries()) {
    const first = seen.get(id)
    if (first !== undefined) {
      const problem = `is the id of ${list}.${first} too`
      throw routeErrors.doubleId({
        message: `${list}.${index}.id ${problem}`,
        fields: { [`${list}.${index}.id`]: [problem] },
      })
    }
    seen.set(id, index)
  }
}

function readSpan(span: SpanInput, at: string): Span {
  return {
    startTime: readTime(span.startTime, `${at}.startTime`),
    endTime: readTime(span.endTime, `${at}.endTime`),
  }
}

function readTime(text: string | null | undefined, at: string): string | null {
  if (text === null || text === undefined || text.trim() === "") return null
  if (parseClock(text) === undefined) throw refusal("018", at, "must be a time such as 08:30")
  return text.trim()
}

function readHours(hours: VehicleInput["workingTime"], at: string) {
  const startTime = readTime(hours?.startTime, `${at}.startTime`)
  const endTime = readTime(hours?.endTime, `${at}.endTime`)
  if (startTime === null && endTime === null) return undefined
  if (startTime === null || endTime === null) throw refusal("018", at, "must have both a start and an end")
  const days = hours?.multiday ?? 0
  if (days === 0) return { startTime, endTime }
  const [hour = "0", ...rest] = endTime.split(":")
  return { startTime, endTime: [String(Number(hour) + 24 * days), ...rest].join(":") }
}

function cleanTags(tags: readonly string[] | null | undefined): string[] {
  return [...new Set((tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ""))]
}

/** `[]` is how older clients write an empty object. */
function entriesOf(value: unknown, at: string): [string, unknown][] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return []
  if (typeof value !== "object" || Array.isArray(value)) throw refusal("013", at, "must be of type object")
  return Object.entries(value)
}

function readDemand(value: unknown, at: string): Record<string, number> {
  const demand: Record<string, number> = {}
  for (const [name, given] of entriesOf(value, at)) {
    const amount = given === null || given === "" ? 0 : numberOf(given)
    if (amount === undefined) throw refusal("009", `${at}.${name}`, "must be a number")
    if (!isLoad(amount))
      throw refusal("009", `${at}.${name}`, `must be from 0 to ${largestLoad}, with six decimals at most`)
    demand[name] = amount
  }
  return demand
}

function readLimits(value: unknown, at: string): Record<string, { min: number; max: number | null }> {
  const limits: Record<string, { min: number; max: number | null }> = {}
  for (const [name, given] of entriesOf(value, at)) {
    const limit = typeof given === "object" && given !== null ? given : { max: given }
    const { min, max } = limit as { min?: unknown; max?: unknown }
    const [least, most] = [numberOf(min ?? 0), max === null || max === undefined ? null : numberOf(max)]
    if (least === undefined || most === undefined || least < 0 || (most !== null && most < 0))
      throw refusal("009", `${at}.${name}`, "must have min and max as numbers of 0 or more")
    limits[name] = { min: least, max: most }
  }
  return limits
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  return typeof value === "string" ? parseNumber(value) : undefined
}

/** A tag list as a task's component has it: a list, or a text with commas. */
export function tagsOf(value: unknown): string[] {
  if (Array.isArray(value)) return cleanTags(value.map(String))
  return typeof value === "string" ? cleanTags(commaList(value)) : []
}
