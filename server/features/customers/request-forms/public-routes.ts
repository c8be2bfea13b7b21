import type { FastifyReply, FastifyRequest } from "fastify"
import { addressGroup } from "#core/address-group.ts"
import { whileConnected } from "#core/http/limits/heavy-requests.ts"
import type { App } from "#core/http/types.ts"
import { acceptedTags, chooseLanguage, isLanguage } from "#shared/languages.ts"
import { listHeldSlots, releaseSlots, type Slot } from "../../planning/slots/index.ts"
import { findFlow } from "../../work/flows/index.ts"
import { findWritten } from "../../work/tasks/index.ts"
import {
  customerCaller,
  findSender,
  lookUpCode,
  newNonce,
  setPageHeaders,
  timeZoneOfHub,
  trackingLinkOf,
} from "../tracking-pages/index.ts"
import { referenceOf } from "./confirm.ts"
import {
  emptyPost,
  type FormState,
  type PageParts,
  renderForm,
  renderNoForm,
  renderState,
  textsOfForm,
} from "./form-page.ts"
import { issueToken, readToken } from "./form-token.ts"
import { type FormRow, findFormByHash } from "./forms.ts"
import { findAddresses, isServed, offerTimes } from "./places.ts"
import { placeOf, readFields } from "./read-fields.ts"
import { type Posted, readPost, textIn } from "./read-post.ts"
import { findRequestByHash } from "./requests.ts"
import { type FormField, fieldsOf } from "./settings.ts"
import { submitRequest } from "./submit.ts"
import { type RequestTexts, requestTextsIn } from "./texts/texts.ts"

interface FormRequest {
  Params: { code: string; request: string }
  Querystring: { lang?: string }
}
type PublicRequest = FastifyRequest<FormRequest>

/** Per address: posts of any form within an hour, counted before they are read. */
const maxPostsPerHour = 120
/** Per address and form. */
const maxRequestsPerHour = 10
const maxSearchesPerHour = 40
const maxOffersPerHour = 12
/** Per form, from anywhere: searching and planning cost more than a page. */
const maxSearchesOfFormPerHour = 1000
const maxOffersOfFormPerHour = 200
/** Nobody fills a form faster. */
const minSeconds = 3

/** `/r/{code}`: a form on which anybody who has its link asks for a task. */
export function publicRequestRoutes(app: App): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 64 * 1024 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  const pages = new RequestPages(app)

  app.get<FormRequest>("/r/:code", { schema: { hide: true } }, async (request, reply) => {
    const found = await pages.find(request, reply)
    if (!found) return reply
    const { parts, fields } = found
    const { text: token } = await issueToken(app.sql, parts.form.id, app.clock.now())
    return pages.sendForm(reply, parts, { fields, token, ...emptyState, posted: emptyPost })
  })

  app.get<FormRequest>("/r/:code/logo", { schema: { hide: true } }, async (request, reply) => {
    const found = await pages.find(request, reply)
    if (!found) return reply
    const { logo } = found.parts.sender
    if (!logo) return pages.refuse(request, reply, "closed")
    return reply
      .headers({ "cache-control": "private, max-age=3600", "content-security-policy": "default-src 'none'" })
      .type(logo.type)
      .send(logo.content)
  })

  app.get<FormRequest>("/r/:code/:request", { schema: { hide: true } }, (request, reply) =>
    pages.sendState(request, reply),
  )

  app.post<FormRequest>(
    "/r/:code",
    {
      schema: { hide: true },
      config: { body: "form" },
      // Before a byte of the body is read.
      async onRequest(request, reply) {
        const key = `request-post:${addressGroup(request.ip)}`
        if (!(await app.limiter.take(key, maxPostsPerHour, 3600)))
          return pages.refuse(request as PublicRequest, reply, "tooMany")
      },
    },
    async (request, reply) => {
      const found = await pages.find(request, reply)
      if (!found) return reply
      return pages.receive(request, reply, found)
    },
  )
}

interface Found {
  parts: PageParts
  fields: FormField[]
}

/** The times that the page offered before. */
const offeredIn = (posted: Posted) =>
  textIn(posted, "offered")
    .split(" ", 10)
    .filter((id) => /^[0-9a-f]{24}$/.test(id))

const emptyState = { problems: new Map(), notice: null, addresses: null, slots: null, placeNotice: null }

class RequestPages {
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  /** The form of a request, switched on; undefined once a page that refuses it was sent. */
  async find(request: PublicRequest, reply: FastifyReply): Promise<Found | undefined> {
    const form = await this.#lookUp(request, reply)
    if (!form) return undefined
    const flow = form.isActive ? await findFlow(this.#app.sql, form, form.flowId) : undefined
    if (flow)
      return { parts: await this.#partsOf(request, form), fields: fieldsOf(form.settings, flow.pages) }
    await this.refuse(request, reply, "closed")
    return undefined
  }

  async #lookUp(request: PublicRequest, reply: FastifyReply): Promise<FormRow | undefined> {
    const { code } = request.params
    const form = await lookUpCode(this.#app, request.ip, code, (hash) => findFormByHash(this.#app.sql, hash))
    if (form !== undefined && form !== "tooMany") return form
    await this.refuse(request, reply, form ?? "closed")
    return undefined
  }

  async #partsOf(request: PublicRequest, form: FormRow): Promise<PageParts> {
    const sender = await findSender(this.#app.sql, form.organizationId)
    const language = chooseLanguage(
      request.query.lang,
      ...acceptedTags(request.headers["accept-language"]),
      form.settings.language,
      sender.settings.language,
      sender.language,
    )
    const zone = await timeZoneOfHub(this.#app.sql, sender, form.hubId)
    return { code: request.params.code.toLowerCase(), language, nonce: newNonce(), sender, zone, form }
  }

  #textsOf({ form, language, sender }: PageParts) {
    return textsOfForm(form, language, chooseLanguage(form.settings.language, sender.language))
  }

  sendForm(reply: FastifyReply, parts: PageParts, state: FormState, status = 200) {
    setPageHeaders(reply, parts.nonce, parts.form.settings.frameOrigins)
    return reply
      .code(status)
      .type("text/html; charset=utf-8")
      .send(renderForm(parts, this.#textsOf(parts), state))
  }

  async receive(request: PublicRequest, reply: FastifyReply, { parts, fields }: Found) {
    const { sql, clock, limiter } = this.#app
    const { form, language } = parts
    const t = requestTextsIn(language)
    const posted = await readPost(request)
    const now = clock.now()
    const known = await readToken(sql, form.id, textIn(posted, "token"), now)
    const token = known ?? (await issueToken(sql, form.id, now))
    const again = async (state: Partial<FormState>, status = 422) => {
      // The times stay while they are held: whatever is wrong, the customer does not choose again.
      const slots = status === 422 ? await this.#heldSlots(form, posted, now) : null
      const shown = { fields, token: token.text, ...emptyState, posted, slots, ...state }
      return this.sendForm(reply, parts, shown, status)
    }
    const perForm = `${form.id}:${addressGroup(request.ip)}`
    const step = textIn(posted, "step")
    if (step === "place" || step === "times") {
      if (!known) return again({ notice: t.expired }, 200)
      return again(
        await this.#findPlaces(parts, posted, step, { perForm, t, signal: whileConnected(reply) }),
        200,
      )
    }
    if (!known) return again({ notice: t.expired })
    if (textIn(posted, "website") !== "") return again({ notice: t.spam })
    if (now.epochMilliseconds - known.shownAt < minSeconds * 1000) return again({ notice: t.tooQuick })
    const read = readFields(fields, posted, parts.zone)
    const placeNotice = await this.#placeProblem(parts, read.position, textIn(posted, "slot"), t)
    if (posted.isTooLarge) return again({ notice: t.badPhoto })
    if (read.problems.size > 0 || placeNotice)
      return again({ notice: t.check, problems: read.problems, placeNotice })
    if (!(await limiter.take(`request-form:${perForm}`, maxRequestsPerHour, 3600)))
      return this.refuse(request, reply, "tooMany")
    const wanted = new Set(fields.flatMap(({ component, kind }) => (kind === "photo" ? component.id : [])))
    const result = await submitRequest(this.#app, form, {
      submission: known.submission,
      fields: read,
      photos: posted.files.filter(({ field }) => wanted.has(field)),
      slotId: textIn(posted, "slot"),
      language,
    })
    if ("code" in result) return reply.redirect(`/r/${parts.code}/${result.code}?lang=${language}`, 303)
    if (result.refusal === "closed") return this.refuse(request, reply, "closed")
    if (result.refusal === "slotTaken") return again({ notice: t.check, placeNotice: t.slotTaken })
    return again({ notice: t[result.refusal] })
  }

  async #heldSlots(
    { organizationId, hubId, settings }: FormRow,
    posted: Posted,
    now: Temporal.Instant,
  ): Promise<Slot[] | null> {
    const place = placeOf(posted)
    const ids = offeredIn(posted)
    if (!settings.offersSlots || !place || ids.length === 0) return null
    return listHeldSlots(this.#app.sql, organizationId, ids, { hubId, position: place.position }, now)
  }

  async #placeProblem(
    { form }: PageParts,
    position: ReturnType<typeof readFields>["position"],
    slot: string,
    t: RequestTexts,
  ): Promise<string | null> {
    if (position && !(await isServed(this.#app, form, position))) return t.tooFar
    if (!form.settings.offersSlots) return null
    return position === undefined ? t.needsAddress : slot === "" ? t.needsTime : null
  }

  /** What the address section shows after one of its buttons. */
  async #findPlaces(
    { form, language }: PageParts,
    posted: Posted,
    step: "place" | "times",
    { perForm, t, signal }: { perForm: string; t: RequestTexts; signal: AbortSignal },
  ): Promise<Partial<FormState>> {
    const { sql, limiter } = this.#app
    const [kind, own, all] =
      step === "place"
        ? (["search", maxSearchesPerHour, maxSearchesOfFormPerHour] as const)
        : (["offer", maxOffersPerHour, maxOffersOfFormPerHour] as const)
    const isAllowed =
      (await limiter.take(`request-${kind}:${perForm}`, own, 3600)) &&
      (await limiter.take(`request-${kind}:${form.id}`, all, 3600))
    if (!isAllowed) return { placeNotice: t.full }
    if (step === "place") {
      const text = textIn(posted, "address").slice(0, 300)
      const addresses = text === "" ? [] : await findAddresses(this.#app, form, text, language)
      return { addresses, placeNotice: addresses.length === 0 ? t.noAddress : null }
    }
    const place = placeOf(posted)
    if (!place || !form.settings.offersSlots) return { placeNotice: t.needsAddress }
    if (!(await isServed(this.#app, form, place.position))) return { placeNotice: t.tooFar }
    // Who asks again holds one offer at a time.
    await releaseSlots(sql, form.organizationId, offeredIn(posted))
    const slots = await offerTimes(this.#app, form, place.position, signal)
    if (slots === "busy") return { placeNotice: t.busyTimes, isBusy: true }
    return { slots, placeNotice: slots.length === 0 ? t.noTimes : null }
  }

  /** The page of one request, also of a form that was switched off. */
  async sendState(request: PublicRequest, reply: FastifyReply) {
    const { sql, clock, settings } = this.#app
    const form = await this.#lookUp(request, reply)
    if (!form) return reply
    const code = request.params.request
    const known = await lookUpCode(this.#app, request.ip, code, (hash) => findRequestByHash(sql, hash))
    if (known === "tooMany") return this.refuse(request, reply, "tooMany")
    if (known?.formId !== form.id) return this.refuse(request, reply, "closed")
    const parts = await this.#partsOf(request, form)
    const caller = customerCaller(form.organizationId)
    const [task] = known.taskId ? await findWritten(sql, caller, [known.taskId]) : []
    const { isActive, expiresDays } = parts.sender.settings
    const context = { sql, pool: sql, publicUrl: settings.publicUrl, now: clock.now() }
    const tracking =
      task && isActive ? await trackingLinkOf(context, task, { createdBy: null, expiresDays }) : undefined
    setPageHeaders(reply, parts.nonce, form.settings.frameOrigins)
    return reply.type("text/html; charset=utf-8").send(
      renderState(parts, this.#textsOf(parts), {
        code: code.toLowerCase(),
        reference: referenceOf(known.id),
        trackingPath: tracking ? new URL(tracking.url).pathname : null,
        request: known,
      }),
    )
  }

  async refuse(request: PublicRequest, reply: FastifyReply, reason: "closed" | "tooMany") {
    const nonce = newNonce()
    setPageHeaders(reply, nonce)
    if (reason === "tooMany") reply.header("retry-after", "3600")
    const asked = isLanguage(request.query.lang) ? request.query.lang : undefined
    const language = chooseLanguage(asked, ...acceptedTags(request.headers["accept-language"]))
    return reply
      .code(reason === "closed" ? 404 : 429)
      .type("text/html; charset=utf-8")
      .send(renderNoForm(reason, language, nonce))
  }
}
