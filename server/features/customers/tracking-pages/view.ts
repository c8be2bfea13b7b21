import type { Sql } from "#core/database/database.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { valueNumber, valueText } from "#shared/values.ts"
import { latestPositions } from "../../location/positions/index.ts"
import { filesOfTask } from "../../work/attached-files/index.ts"
import { type FlowComponent, findFlow } from "../../work/flows/index.ts"
import { findWritten, type TaskRow } from "../../work/tasks/index.ts"
import { findRating } from "../feedback/index.ts"
import { type CustomerContact, contactOf } from "./contact.ts"
import { type Arrival, arrivalOf } from "./estimate.ts"
import { customerCaller, findSender, type Sender, timeZoneOfHub } from "./sender.ts"
import type { PageState } from "./texts/texts.ts"

export interface ShownItem {
  title: string
  quantity: number | null
  amount: number | null
}

/** Everything that the page of one task shows: what the settings do not allow is not in it. */
export interface TrackingView {
  taskId: string
  hubId: string
  flowId: string
  state: PageState
  title: string | null
  start: Temporal.Instant
  end: Temporal.Instant
  zone: string
  arrival: Arrival | null
  driver: { name: string | null; phone: string | null } | null
  /** Only while the settings allow it. */
  position: { lat: number; lng: number; at: string } | null
  destination: { lat: number; lng: number } | null
  items: ShownItem[]
  total: number | null
  finishedAt: Temporal.Instant | null
  /** Keys of stored files, shown under `/t/{code}/files/{place}`. */
  photos: string[]
  signature: string | null
  hasDocument: boolean
  rating: { stars: number; comment: string | null } | null
  requests: CustomerRequests
  contact: CustomerContact
}

/** What the customer asked for; kept with the task under these names. */
export interface CustomerRequests {
  customerInstructions: string | null
  customerSafePlace: string | null
  customerContact: string | null
  customerCancellation: string | null
}

export const requestNames = [
  "customerInstructions",
  "customerSafePlace",
  "customerContact",
  "customerCancellation",
] as const

export interface ViewContext {
  /** The application's pool. */
  sql: Sql
  links: SignedLinks
  now: Temporal.Instant
  /** Whether the service report can be offered. */
  hasReports: boolean
}

/** The task of a link as a system caller of its organization reads it; undefined when it was deleted. */
export async function findTaskOf(
  sql: Sql,
  organizationId: string,
  taskId: string,
): Promise<TaskRow | undefined> {
  const caller = customerCaller(organizationId)
  const [task] = await findWritten(sql, caller, [taskId])
  return task
}

export async function trackingView(
  context: ViewContext,
  organizationId: string,
  taskId: string,
): Promise<{ view: TrackingView; sender: Sender } | undefined> {
  const { sql } = context
  const [sender, task] = await Promise.all([
    findSender(sql, organizationId),
    findTaskOf(sql, organizationId, taskId),
  ])
  return task && { sender, view: await viewOf(context, sender, task) }
}

export async function viewOf(context: ViewContext, sender: Sender, task: TaskRow): Promise<TrackingView> {
  const { sql } = context
  const { settings } = sender
  const isDone = task.status === "DONE"
  const [zone, flow, rating] = await Promise.all([
    timeZoneOfHub(sql, sender, task.hubId),
    findFlow(sql, task, task.flowId),
    isDone ? findRating(sql, task.organizationId, task.id) : undefined,
  ])
  const arrival = isDone ? null : ((await arrivalOf(sql, task, zone)) ?? null)
  const state = stateOf(task, arrival)
  const components = (flow?.pages ?? []).flatMap((page) => page.components)
  const items = settings.showItems ? itemsOf(task.values, components) : []
  const files = isDone ? await filesOf(context, task, components) : { photos: [], signature: null }
  return {
    taskId: task.id,
    hubId: task.hubId,
    flowId: task.flowId,
    state,
    title: settings.showTitle ? valueText(task.attributes.title ?? task.title) : null,
    start: task.startTime,
    end: task.endTime,
    zone,
    arrival: arrival && { ...arrival, stopsBefore: settings.showStops ? arrival.stopsBefore : null },
    ...(await driverOf(context, sender, task, { state, arrival })),
    destination: destinationOf(task),
    items,
    total: totalOf(items),
    finishedAt: task.doneTime,
    photos: settings.showPhotos ? files.photos : [],
    signature: settings.showSignature ? files.signature : null,
    hasDocument: isDone && settings.showDocument && context.hasReports,
    rating: rating ?? null,
    requests: requestsOf(task),
    contact: contactOf(task.values, flow?.pages ?? [], settings.fields),
  }
}

function stateOf({ status, attributes, assignee }: TaskRow, arrival: Arrival | null): PageState {
  if (status === "DONE") return isFailed(attributes.outcome) ? "failed" : "done"
  if (attributes.arrivedTime && !attributes.leftTime) return "arrived"
  if (assignee.length === 0 || !arrival || arrival.stopsBefore === null) return "planned"
  return arrival.stopsBefore === 0 ? "next" : "onTheWay"
}

const isFailed = (outcome: unknown) => outcome === "failed" || outcome === "returned"

export function requestsOf({ attributes }: Pick<TaskRow, "attributes">): CustomerRequests {
  const entries = requestNames.map((name) => [name, attributes[name] ?? null])
  return Object.fromEntries(entries) as CustomerRequests
}

/** Name, telephone and position of who comes, each as far as the settings allow at this moment. */
async function driverOf(
  { sql, now }: ViewContext,
  { settings }: Sender,
  task: TaskRow,
  { state, arrival }: { state: PageState; arrival: Arrival | null },
): Promise<Pick<TrackingView, "driver" | "position">> {
  if (task.status !== "ONGOING") return { driver: null, position: null }
  const isNext = state === "next" || state === "arrived"
  const isNear =
    arrival !== null &&
    arrival.stopsBefore !== null &&
    now.until(arrival.at).total("minutes") <= settings.mapMinutes
  const isMapAllowed = settings.map !== "never" && (isNext || (settings.map === "minutes" && isNear))
  const name = settings.showDriverName ? (task.assignedTo?.name.trim().split(/\s+/)[0] ?? null) : null
  const isPhoneAllowed = settings.showDriverPhone && isNext
  const [newest] =
    isMapAllowed || isPhoneAllowed ? await latestPositions(sql, task.organizationId, task.assignee) : []
  const phone = isPhoneAllowed ? (newest?.user.phoneNumber ?? null) : null
  return {
    driver: name || phone ? { name, phone } : null,
    position:
      isMapAllowed && newest
        ? { lat: Number(newest.lat), lng: Number(newest.lon), at: `${newest.createdTime.replace(" ", "T")}Z` }
        : null,
  }
}

function destinationOf({ lat, lng, attributes }: TaskRow): TrackingView["destination"] {
  if (lat !== null && lng !== null) return { lat, lng }
  const given = parseLatLng(String(attributes.expectedCoordinate ?? ""))
  return given ? { lat: given[1], lng: given[0] } : null
}

const maxItems = 200
const maxPhotos = 24

function itemsOf(
  values: Readonly<Record<string, unknown>>,
  components: readonly FlowComponent[],
): ShownItem[] {
  const lists = components.filter(({ component }) => component === "list" || component === "bill")
  const all = lists.flatMap(({ id, component }) => {
    const items: unknown = values[id]
    if (!Array.isArray(items)) return []
    return items.map((item: Record<string, unknown> | null): ShownItem => {
      const quantity = valueNumber(item?.qtyProcessed ?? item?.qty) ?? null
      const price = component === "bill" ? valueNumber(item?.unitPrice) : undefined
      return {
        title: valueText(item?.title) ?? "",
        quantity,
        amount: price === undefined ? null : price * (quantity ?? 1),
      }
    })
  })
  return all.slice(0, maxItems)
}

function totalOf(items: readonly ShownItem[]): number | null {
  const amounts = items.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0)
}

/**
 * Photos and the signature as keys of the store. Anybody can write an address into a task: those of other servers and
 * organizations, and of files that the writer may not read, are never shown.
 */
async function filesOf(
  { sql, links }: ViewContext,
  task: TaskRow,
  components: readonly FlowComponent[],
): Promise<{ photos: string[]; signature: string | null }> {
  const { organizationId, values } = task
  const keyOf = (value: unknown) => {
    const key = typeof value === "string" ? links.keyOf(value) : undefined
    return key?.startsWith(`${organizationId}/`) && /^\w+\/\d{4}\//.test(key) ? key : undefined
  }
  const photos = components
    .filter(({ component }) => component === "photo")
    .flatMap(({ id }) => Array.from({ length: maxPhotos }, (_, place) => keyOf(values[`${id}_${place}_url`])))
    .filter((key) => key !== undefined)
  const signature = components
    .filter(({ component }) => component === "signature")
    .map(({ id }) => keyOf(values[`${id}_url`] ?? values[id]))
    .find((key) => key !== undefined)
  const named = photos.slice(0, maxPhotos)
  const shown = await filesOfTask(sql, task, signature === undefined ? named : [...named, signature])
  return {
    photos: named.filter((key) => shown.has(key)),
    signature: signature !== undefined && shown.has(signature) ? signature : null,
  }
}
