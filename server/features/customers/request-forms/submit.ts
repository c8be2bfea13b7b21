import { randomBytes } from "node:crypto"
import { inTransaction, json, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { newId } from "#core/ids.ts"
import { expectFile, keepFile } from "#core/objects/loose-files.ts"
import { datedKey } from "#core/objects/objects.ts"
import { bookSlot, findHeldSlot, keepSlot, type Slot } from "../../planning/slots/index.ts"
import { type FlowRow, findFlow } from "../../work/flows/index.ts"
import { checkPhoto, createTasks, type TaskBody } from "../../work/tasks/index.ts"
import { contactOf, customerCaller, findSender, timeZoneOfHub } from "../tracking-pages/index.ts"
import { confirm } from "./confirm.ts"
import { type FormRow, lockForm } from "./forms.ts"
import type { ReadFields } from "./read-fields.ts"
import type { PostedFile } from "./read-post.ts"
import { codeOfRequest, countRequests, findSubmission } from "./requests.ts"

export interface Submission {
  submission: Buffer
  fields: ReadFields
  photos: readonly PostedFile[]
  slotId: string
  language: string
}

export type Refusal = "closed" | "full" | "slotTaken" | "badPhoto" | "refused"

/** In the names of photos that came with requests. */
export const photoMark = "request_"

/** Waiting for a decision holds the chosen window at most this long. */
const keptDays = 3

/** Stores a request, or makes its task. The same submission again returns the code of the same request. */
export async function submitRequest(
  app: App,
  form: FormRow,
  given: Submission,
): Promise<{ code: string } | { refusal: Refusal }> {
  const earlier = await findSubmission(app.sql, form, given.submission)
  if (earlier) return { code: (await codeOfRequest(app.sql, earlier.id)).code }
  const stored = await storePhotos(app, form, given)
  if (!stored) return { refusal: "badPhoto" }
  try {
    return await inTransaction(app.sql, (tx) => write(tx, app, form, given, stored))
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.reason }
    throw error
  }
}

class Refused extends Error {
  readonly reason: Refusal
  constructor(reason: Refusal, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

interface StoredPhotos {
  keys: string[]
  values: Record<string, string>
}

/** Photos are stored before the transaction; of a request that is refused a job removes them after a day. */
async function storePhotos(
  { sql, objects, links, clock }: App,
  { organizationId }: FormRow,
  { photos }: Submission,
): Promise<StoredPhotos | undefined> {
  const counts = new Map<string, number>()
  const stored: StoredPhotos = { keys: [], values: {} }
  for (const { field, content } of photos) {
    const type = typeOf(content)
    if (!type) return undefined
    const place = counts.get(field) ?? 0
    counts.set(field, place + 1)
    const name = `${photoMark}${randomBytes(9).toString("hex")}_${place}_${field}.${type}`
    const key = datedKey(organizationId, clock.now(), name)
    await expectFile(sql, key)
    await objects.put(key, content)
    stored.keys.push(key)
    stored.values[`${field}_${place}_url`] = links.plain(key)
  }
  return stored
}

function typeOf(content: Buffer): "jpg" | "png" | undefined {
  try {
    return checkPhoto(content)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function write(
  tx: Tx,
  app: App,
  { organizationId, id }: FormRow,
  given: Submission,
  photos: StoredPhotos,
): Promise<{ code: string }> {
  const now = app.clock.now()
  const form = await lockForm(tx, organizationId, id)
  if (!form?.isActive) throw new Refused("closed")
  const earlier = await findSubmission(tx, form, given.submission)
  if (earlier) return { code: (await codeOfRequest(app.sql, earlier.id)).code }
  const sender = await findSender(app.sql, organizationId)
  const zone = await timeZoneOfHub(app.sql, sender, form.hubId)
  const today = now.toZonedDateTimeISO(zone).startOfDay().toInstant()
  if ((await countRequests(tx, form, today)) >= form.settings.dailyCap) throw new Refused("full")
  const flow = await findFlow(tx, form, form.flowId)
  if (!flow) throw new Refused("closed")
  const slot = form.settings.offersSlots ? await chosenSlot(tx, form, given, now) : undefined
  const values = { ...given.fields.values, ...photos.values }
  for (const key of photos.keys) await keepFile(tx, key)
  const requestId = newId<"task-request">(now.epochMilliseconds)
  const { code, hash } = await codeOfRequest(app.sql, requestId)
  const { needsApproval } = form.settings
  const taskId = needsApproval ? null : await makeTask(tx, app, form, flow, { values, slot })
  if (needsApproval && slot) await keepSlot(tx, organizationId, slot.id, keptUntil(slot, now))
  const contact = contactOf(values, flow.pages, sender.settings.fields)
  await tx`
    insert into task_requests (organization_id, id, form_id, hub_id, flow_id, submission, code_hash, status, "values", name,
      language, slot_id, starts_at, ends_at, task_id, created_time, decided_time)
    values (${organizationId}, ${requestId}, ${form.id}, ${form.hubId}, ${form.flowId}, ${given.submission}, ${hash},
      ${needsApproval ? "pending" : "approved"}, ${json(tx, values)}, ${contact.name}, ${given.language},
      ${needsApproval ? (slot?.id ?? null) : null}, ${slot?.startsAt ?? null}, ${slot?.endsAt ?? null}, ${taskId}, ${now},
      ${needsApproval ? null : now})`
  const request = {
    ...{ organizationId, hubId: form.hubId, flowId: form.flowId, id: requestId, language: given.language },
    ...{ formId: form.id, startsAt: slot?.startsAt ?? null, endsAt: slot?.endsAt ?? null, reason: null },
  }
  await confirm(tx, app, { request, form, contact, event: "requestReceived" })
  const content = { requestId, formId: form.id, status: needsApproval ? "pending" : "approved" }
  await publish(tx, app.live, "customer.request", { organizationId, hubId: form.hubId, content })
  return { code }
}

/** The window that was offered on this form for this place, and is still held. */
async function chosenSlot(
  tx: Tx,
  { organizationId, hubId }: FormRow,
  { slotId, fields: { position } }: Submission,
  now: Temporal.Instant,
): Promise<Slot> {
  const slot = /^[0-9a-f]{24}$/i.test(slotId)
    ? await findHeldSlot(tx, organizationId, slotId, now)
    : undefined
  const isSamePlace =
    slot && position && Math.abs(slot.lng - position[0]) < 1e-5 && Math.abs(slot.lat - position[1]) < 1e-5
  if (!isSamePlace || slot.hubId !== hubId) throw new Refused("slotTaken")
  return slot
}

function keptUntil({ startsAt }: Slot, now: Temporal.Instant): Temporal.Instant {
  const latest = now.add({ hours: 24 * keptDays })
  return Temporal.Instant.compare(startsAt, latest) < 0 ? startsAt : latest
}

async function makeTask(
  tx: Tx,
  app: App,
  form: FormRow,
  flow: FlowRow,
  { values, slot }: { values: Record<string, unknown>; slot: Slot | undefined },
): Promise<string> {
  const caller = customerCaller(form.organizationId)
  const now = app.clock.now()
  const create = async (times: { startTime?: string; endTime?: string }) => {
    const body = { ...values, flow: flow.name, hubId: form.hubId, createdFrom: "WEB", ...times } as TaskBody
    const [created] = await createTasks(tx, caller, [body], { now, live: app.live })
    if (!created || "refusal" in created) throw new Refused("refused", created?.refusal)
    return created.task.id
  }
  if (!slot) return create({})
  const times = { startTime: slot.startsAt.toString(), endTime: slot.endsAt.toString() }
  return (await bookSlot(tx, form.organizationId, slot.id, now, () => create(times))).taskId
}
