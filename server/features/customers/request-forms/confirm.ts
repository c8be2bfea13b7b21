import type { Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import type { Language } from "#shared/languages.ts"
import { queueRequestMessages, type RequestMessage } from "../messages/index.ts"
import { type CustomerContact, findSender, timesIn, timeZoneOfHub } from "../tracking-pages/index.ts"
import { codeOfForm, type FormRow } from "./forms.ts"
import { codeOfRequest, type RequestRow } from "./requests.ts"

interface Confirmation {
  request: Pick<
    RequestRow,
    "organizationId" | "hubId" | "flowId" | "id" | "formId" | "language" | "startsAt" | "endsAt" | "reason"
  >
  /** Undefined: the form was deleted, so its page is gone too. */
  form: FormRow | undefined
  contact: CustomerContact
  event: RequestMessage["event"]
}

/** Confirmations that one address gets from all forms of the installation within a day. */
const maxPerAddressAndDay = 3
/** Confirmations of a form within an hour: many visitors from many networks cannot make it write to a list of people. */
export const maxPerFormAndHour = 60

/**
 * Says what became of a request. Anybody can type anybody's address into a form, so a receipt says nothing that was typed, and
 * its number is limited: one a day for each form and address, a few a day for each address, and a number an hour for each form.
 * Decisions are made by people and are not limited.
 */
export async function confirm(
  tx: Tx,
  { sql, limiter, settings, clock }: App,
  { request, form, contact, event }: Confirmation,
): Promise<void> {
  const now = clock.now()
  const sender = await findSender(sql, request.organizationId)
  const zone = await timeZoneOfHub(sql, sender, request.hubId)
  const times = timesIn(request.language as Language, zone)
  const { startsAt, endsAt } = request
  const day = now.toZonedDateTimeISO(zone).toPlainDate().toString()
  const path = form
    ? `/r/${(await codeOfForm(sql, form)).code}/${(await codeOfRequest(sql, request.id)).code}`
    : ""
  await queueRequestMessages(
    tx,
    sql,
    {
      ...{ organizationId: request.organizationId, hubId: request.hubId, flowId: request.flowId },
      ...{ event, language: request.language, contact },
      key: event === "requestReceived" ? `received:${request.formId}:${day}` : `${event}:${request.id}`,
      link: form ? `${settings.publicUrl}${path}` : "",
      fields: {
        reference: referenceOf(request.id),
        date: startsAt ? times.day(startsAt) : "",
        window: startsAt && endsAt ? times.range(startsAt, endsAt) : "",
        reason: request.reason ?? "",
      },
      mayWriteTo: async (address) =>
        event !== "requestReceived" ||
        ((await limiter.take(`request-confirmations:${request.formId}`, maxPerFormAndHour, 3600)) &&
          (await limiter.take(`request-confirmation:${address}`, maxPerAddressAndDay, 86_400))),
    },
    now,
  )
}

/** What customers and people in the office call a request. */
export const referenceOf = (requestId: string) => requestId.slice(-8)
