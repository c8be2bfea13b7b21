import type { TaskRow } from "../../../work/tasks/index.ts"
import type { VisitInput } from "../request-schemas.ts"

/** What the flow of a task maps to links with other visits: other tasks by their ID (`refId` or `_id`). */

type Links = Pick<
  VisitInput,
  "pickupVisitId" | "after" | "workers" | "days" | "preferredDays" | "preferredVehicle"
>
type Link = NonNullable<Links["after"]>[number]

/** Routing values of links, by what a component's `routeAs` says. */
export interface TaskLinks {
  /** ID of the task where the goods are loaded. */
  pickup: string | null
  /** IDs of earlier tasks with minutes in between, such as "A-17 + 30-120; A-18". */
  after: string | null
  workers: number | null
  /** Days such as "2031-05-04, 2031-05-06". */
  days: string | null
  preferredDays: string | null
  /** Name or driver of a vehicle. */
  preferred: string | null
}

const maxLinks = 10
const maxMinutes = 10_080
const maxWorkers = 5

/** "A-17", "A-17 + 30" (at least 30 minutes) or "A-17 + 30-120", with ; between several; undefined if it is none of these. */
export function parseAfter(text: string): Link[] | undefined {
  const parts = text.split(";").flatMap((part) => part.trim() || [])
  const links = parts.map((part): Link | undefined => {
    const [, least, most] = /\+\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(part) ?? []
    const visitId = (least === undefined ? part : part.slice(0, part.lastIndexOf("+"))).trim()
    const [minMinutes, maxBetween] = [least, most].map((minutes) =>
      minutes === undefined ? undefined : Number(minutes),
    )
    const isWrong = visitId === "" || (minMinutes ?? 0) > maxMinutes || (maxBetween ?? 0) > maxMinutes
    if (isWrong || (maxBetween !== undefined && maxBetween < (minMinutes ?? 0))) return undefined
    return {
      visitId,
      ...(minMinutes === undefined ? {} : { minMinutes }),
      ...(maxBetween === undefined ? {} : { maxMinutes: maxBetween }),
    }
  })
  if (links.length > maxLinks || links.includes(undefined)) return undefined
  return links.filter((link) => link !== undefined)
}

const maxDays = 31

/** Days with commas in between. */
export function parseDays(text: string): string[] {
  return text
    .split(/[,;]/)
    .flatMap((day) => day.trim() || [])
    .slice(0, maxDays)
}

export function isWorkers(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= maxWorkers
}

/** Ids of tasks by what people call them. */
type TaskIds = ReadonlyMap<string, string>

export function idsOf(tasks: readonly Pick<TaskRow, "id" | "refId">[]): TaskIds {
  return new Map([
    ...tasks.map(({ id }): [string, string] => [id, id]),
    ...tasks.flatMap(({ id, refId }): [string, string][] => (refId ? [[refId, id]] : [])),
  ])
}

/** The links of a visit's request. An ID of none of the tasks stays as it is, and the plan drops the visit for it. */
export function linksOfTask(
  { pickup, after, workers, days, preferredDays, preferred }: TaskLinks,
  ids: TaskIds,
): Links {
  const visitOf = (id: string) => {
    const taskId = ids.get(id) ?? ids.get(id.toLowerCase())
    return taskId === undefined ? id : `taskId-${taskId}`
  }
  // What cannot be read must not get lost: as an ID that no visit has, the plan names it.
  const links = after === null ? [] : (parseAfter(after) ?? [{ visitId: after.slice(0, 255) }])
  return {
    ...(pickup === null ? {} : { pickupVisitId: visitOf(pickup) }),
    ...(links.length > 0
      ? { after: links.map((link) => ({ ...link, visitId: visitOf(link.visitId) })) }
      : {}),
    ...(workers === null || workers < 2 ? {} : { workers }),
    ...(days === null ? {} : { days: parseDays(days) }),
    ...(preferredDays === null ? {} : { preferredDays: parseDays(preferredDays) }),
    ...(preferred === null ? {} : { preferredVehicle: preferred.slice(0, 255) }),
  }
}
