import { createHash } from "node:crypto"
import { buffer } from "node:stream/consumers"
import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import type { SignedLinks } from "#core/objects/signed-links.ts"
import { chooseLanguage, directionOf } from "#shared/languages.ts"
import { valueText } from "#shared/values.ts"
import { type FlowPage, findFlow } from "../../work/flows/index.ts"
import type { TaskRow } from "../../work/tasks/index.ts"
import { findSender, moneyIn, type Sender, timesIn, viewOf } from "../tracking-pages/index.ts"
import { drawPdf } from "./draw-in-thread.ts"
import { mapTilesAround } from "./map-tiles.ts"
import type { ReportContent } from "./report-content.ts"
import { type ReportSettings, readReportSettings } from "./settings.ts"
import { type ReportTexts, reportTexts } from "./texts.ts"

export interface ReportContext {
  /** The application's pool. */
  sql: Pool
  objects: Objects
  links: SignedLinks
  config: Config
  now: Temporal.Instant
}

const maxPhotos = 12
const maxPictureBytes = 6 * 1024 * 1024
const maxValueLength = 2_000

/** The service report of a task as a PDF. The caller has checked who may see it. */
export async function makeReport(
  context: ReportContext,
  task: TaskRow,
  wantedLanguage: string | undefined,
): Promise<Buffer> {
  const { sql } = context
  const [sender, settings, flow] = await Promise.all([
    findSender(sql, task.organizationId),
    readReportSettings(sql, task.organizationId, task.flowId),
    findFlow(sql, task, task.flowId),
  ])
  // The report's own settings decide what it shows.
  const shown = {
    ...sender,
    settings: { ...sender.settings, showItems: true, showPhotos: true, showSignature: true },
  }
  const view = await viewOf({ ...context, hasReports: false }, shown, task)
  const language = chooseLanguage(
    wantedLanguage,
    view.contact.language,
    sender.settings.language,
    sender.language,
  )
  const pictures = async (keys: readonly string[]) =>
    (await Promise.all(keys.map((key) => pictureOf(context.objects, key)))).filter(
      (picture) => picture !== undefined,
    )
  const content = contentOf({ sender, settings, task, view, pages: flow?.pages ?? [], language })
  const [map, photos, [signature]] = await Promise.all([
    // A map that cannot be read is left out: the place is written too.
    settings.showMap && view.destination
      ? mapTilesAround(context, view.destination).catch(() => undefined)
      : undefined,
    settings.showPhotos ? pictures(view.photos.slice(0, maxPhotos)) : [],
    settings.showSignature && view.signature ? pictures([view.signature]) : [],
  ])
  const texts = reportTexts(language)
  return drawPdf(task.organizationId, {
    ...content,
    photos,
    signature: signature ? [texts.signature, signature] : null,
    map: map ? { ...map, title: texts.map } : null,
  })
}

interface ContentInput {
  sender: Sender
  settings: ReportSettings
  task: TaskRow
  view: Awaited<ReturnType<typeof viewOf>>
  pages: readonly FlowPage[]
  language: ReturnType<typeof chooseLanguage>
}

function contentOf({ sender, settings, task, view, pages, language }: ContentInput): ReportContent {
  const t = reportTexts(language)
  const money = moneyIn(language, sender.currency)
  const number = new Intl.NumberFormat(language)
  const items = settings.showItems ? view.items : []
  const logo =
    settings.showLogo && sender.logo && sender.logo.type !== "image/webp" ? sender.logo.content : null
  return {
    isRtl: directionOf(language) === "rtl",
    language,
    organization: sender.name,
    color: sender.settings.color,
    logo,
    title: settings.title || t.title,
    subtitle: valueText(task.attributes.title ?? task.title) ?? "",
    facts: factsOf(settings, task, view, { t, language }),
    sections: settings.showFields ? sectionsOf(settings, task, pages) : [],
    itemTitle: t.items,
    items: items.map(({ title, quantity, amount }) => ({
      title,
      quantity: quantity === null ? "" : number.format(quantity),
      amount: amount === null ? "" : money(amount),
    })),
    total: items.length === 0 || view.total === null ? null : [t.total, money(view.total)],
    photoTitle: t.photos,
    photos: [],
    signature: null,
    map: null,
    foot: [settings.foot, settings.showHash ? `SHA-256 ${hashOf(task)}` : ""].filter(Boolean).join(" · "),
  }
}

function factsOf(
  { showTimes, showMap }: ReportSettings,
  task: TaskRow,
  view: ContentInput["view"],
  { t, language }: { t: ReportTexts; language: ContentInput["language"] },
): [string, string][] {
  const times = timesIn(language, view.zone)
  const arrived = typeof task.attributes.arrivedTime === "string" ? task.attributes.arrivedTime : undefined
  const outcome = String(task.attributes.outcome ?? "done")
  const facts: [string, string | null | undefined | false][] = [
    [t.reference, task.refId ?? task.id],
    [t.worker, task.assignedTo?.name],
    [t.place, showMap && view.destination && placeText(view.destination)],
    [t.window, showTimes && times.range(task.startTime, task.endTime)],
    [t.arrived, showTimes && arrived !== undefined && times.dayAndTime(Temporal.Instant.from(arrived))],
    [t.finished, showTimes && task.doneTime !== null && times.dayAndTime(task.doneTime)],
    [t.outcome, task.status === "DONE" ? (t.outcomes[outcome] ?? outcome) : t.open],
    [t.reason, valueText(task.attributes.outcomeReason)],
  ]
  return facts.flatMap(([label, value]) => (value ? [[label, value] as [string, string]] : []))
}

const placeText = ({ lat, lng }: { lat: number; lng: number }) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`

const drawnElsewhere: ReadonlySet<string> = new Set([
  "photo",
  "signature",
  "list",
  "bill",
  "view",
  "voice",
  "capture",
])

function sectionsOf(settings: ReportSettings, task: TaskRow, pages: readonly FlowPage[]) {
  const hidden = new Set(settings.hiddenFields)
  return pages.flatMap((page) => {
    const values = page.components.flatMap((component): [string, string][] => {
      if (drawnElsewhere.has(component.component) || hidden.has(component.id)) return []
      const text = valueText(task.values[component.id])
      return text ? [[component.title || component.id, text.slice(0, maxValueLength)]] : []
    })
    return values.length > 0 ? [{ title: page.title ?? "", values }] : []
  })
}

/** Of what the report is about: two reports of the same task have the same hash until the task changes. */
function hashOf({ id, values, attributes, startTime, endTime, doneTime }: TaskRow): string {
  const facts = [
    id,
    startTime.toString(),
    endTime.toString(),
    doneTime?.toString() ?? null,
    values,
    attributes,
  ]
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex")
}

/** JPEG and PNG; what else is stored, or is too large, is left out. */
async function pictureOf(objects: Objects, key: string): Promise<Uint8Array | undefined> {
  const found = await objects.open(key).catch(() => undefined)
  if (!found) return undefined
  if (found.sizeBytes > maxPictureBytes) {
    found.stream.destroy()
    return undefined
  }
  const content = await buffer(found.stream)
  const isPicture =
    content.subarray(0, 3).toString("hex") === "ffd8ff" || content.subarray(1, 4).toString() === "PNG"
  return isPicture ? content : undefined
}
