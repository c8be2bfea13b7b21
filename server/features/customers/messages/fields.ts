import type { Sql } from "#core/database/database.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { valueText } from "#shared/values.ts"
import type { TaskRow } from "../../work/tasks/index.ts"
import { type Arrival, type Sender, timesIn, trackingLinkOf, viewOf } from "../tracking-pages/index.ts"

export interface FieldContext {
  sql: Sql
  pool: Sql
  links: SignedLinks
  publicUrl: string
  now: Temporal.Instant
}

const maxValueLength = 200

/** What a message may say of a task, by the names of placeholders. */
export async function fieldsOf(
  context: FieldContext,
  sender: Sender,
  task: TaskRow,
  language: string,
  text: string | null,
): Promise<Map<string, string>> {
  const { settings } = sender
  const view = await viewOf(
    { sql: context.pool, links: context.links, now: context.now, hasReports: false },
    sender,
    task,
  )
  const { url } = await trackingLinkOf(context, task, { createdBy: null, expiresDays: settings.expiresDays })
  const times = timesIn(language as "en", view.zone)
  const { arrival } = view
  const entries: [string, string | null | undefined][] = [
    ["organization", sender.name],
    ["name", view.contact.name],
    ["title", valueText(task.attributes.title ?? task.title)],
    ["reference", task.refId ?? task.id.slice(-8)],
    ["date", times.day(view.start)],
    ["window", times.range(view.start, view.end)],
    ["windowStart", times.time(view.start)],
    ["windowEnd", times.time(view.end)],
    ["eta", arrival && times.time(arrival.at)],
    ["etaFrom", arrival && times.time(arrival.earliest ?? arrival.at)],
    ["etaTo", arrival && times.time(arrival.latest ?? arrival.at)],
    ["etaWindow", arrival && windowText(times, arrival)],
    ["stopsBefore", arrival?.stopsBefore?.toString()],
    ["driver", view.driver?.name],
    ["reason", valueText(task.attributes.outcomeReason)],
    ["phone", settings.phone],
    ["email", settings.email],
    ...Object.entries(task.values).map(([id, value]): [string, string | null] => [
      `task.${id}`,
      shortText(value),
    ]),
  ]
  const fields = new Map(entries.map(([name, value]) => [name, plain(value ?? "")]))
  fields.set("link", url)
  fields.set("optOutLink", `${url}#messages`)
  fields.set("reportLink", `${url}/report.pdf`)
  if (text !== null) fields.set("text", text)
  return fields
}

/** The window of a live estimate; of a planned arrival only its time is known. */
function windowText(times: ReturnType<typeof timesIn>, { at, earliest, latest }: Arrival): string {
  return earliest && latest ? times.hours(earliest, latest) : times.time(at)
}

function shortText(value: unknown): string | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? null : valueText(value)
}

/**
 * Values come from orders and forms: one line, of limited length, without anything that a phone makes a link of, so that
 * nobody sends links in the organization's name.
 */
export function plain(value: string): string {
  const line = value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u202A-\u202E\u2066-\u2069]/gu, "")
    .replace(/:?\/{2,}/g, " ")
    .replace(/(\p{L})\.(?=\p{L}{2})/gu, "$1. ")
    .trim()
  return line.length > maxValueLength ? `${line.slice(0, maxValueLength - 1)}…` : line
}
