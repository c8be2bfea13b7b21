import type { IncomingHttpHeaders } from "node:http"
import type { FastifyReply } from "fastify"
import type { Sql } from "#core/database/database.ts"
import { whileConnected } from "#core/http/limits/heavy-requests.ts"
import type { App } from "#core/http/types.ts"
import { sendObject } from "#core/objects/file-routes.ts"
import { type ShortCache, shortCache } from "#core/short-cache.ts"
import { acceptedTags, chooseLanguage, isLanguage } from "#shared/languages.ts"
import { findSharedPosition, sharedDayOf } from "../../location/positions/index.ts"
import type { TaskRow } from "../../work/tasks/index.ts"
import { changeFromPage } from "./change-from-page.ts"
import { lookUpCode } from "./code-lookup.ts"
import type { CustomerContact } from "./contact.ts"
import { ensureLink, findLinkByHash, type TrackingLink } from "./links.ts"
import { renderFacts, renderPage, renderRefusal, tagOf } from "./page.ts"
import { newNonce, setPageHeaders } from "./page-headers.ts"
import { addressOf, renderPosition } from "./position-page.ts"
import { chooseTime, isReschedulable, type OnRescheduled, offerTimes } from "./reschedule.ts"
import type { OfferedTimes } from "./reschedule-markup.ts"
import { findSender, type Sender } from "./sender.ts"
import { findTaskOf, type TrackingView, trackingView } from "./view.ts"

/** What the pages need of features that are built on them. */
export interface PublicPageHooks {
  /** The service report of a finished task. */
  report(app: App, task: TaskRow, language: string | undefined): Promise<Buffer>
  /** Whether the customer wants no messages; null where no address of theirs is known. */
  hasOptedOut(sql: Sql, sender: Sender, contact: CustomerContact): Promise<boolean | null>
  setOptOut(
    sql: Sql,
    sender: Sender,
    contact: CustomerContact,
    wantsNone: boolean,
    now: Temporal.Instant,
  ): Promise<void>
  /** The customer has chosen another time. */
  onRescheduled: OnRescheduled
}

interface PageRequest {
  Params: { code: string }
  Querystring: { lang?: string; sent?: string }
}

interface PublicRequest {
  ip: string
  headers: IncomingHttpHeaders
  params: { code: string }
  query: { lang?: string; sent?: string }
}

const maxChangesPerHour = 20
/** Many open pages of one task, and reloads, cost one read. */
const viewMilliseconds = 2_000

/** `/t/{code}`: what the customer of one task sees, without an account and without the console. */
export function publicPageRoutes(app: App, hooks: PublicPageHooks): void {
  const views = shortCache<{ view: TrackingView; sender: Sender } | undefined>(viewMilliseconds)
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const pages = new PublicPages(app, views, hooks)

  app.get<PageRequest>("/t/:code", { schema: { hide: true } }, async (request, reply) => {
    const found = await pages.find(request, reply)
    if (!found) return reply
    return found.link.kind === "position"
      ? pages.sendPosition(request, reply, found)
      : pages.send(request, reply, found)
  })

  // The long address of a shared position, as it was sent before there were short ones.
  app.get<{ Querystring: { lang?: string; token?: unknown } }>(
    "/shared-position",
    { schema: { hide: true } },
    async (request, reply) => {
      const now = app.clock.now()
      const { token } = request.query
      const shared = typeof token === "string" ? await sharedDayOf(app.sql, token, now) : undefined
      if (!shared) return pages.refuse(request, reply, "gone")
      const { organizationId, linkId: targetId, expiresAt } = shared
      const target = {
        ...{ organizationId, kind: "position" as const, targetId, createdBy: null },
        expiresAt: Temporal.Instant.fromEpochMilliseconds(expiresAt),
      }
      const { code } = await ensureLink(app.sql, app.sql, target, now)
      return reply.redirect(`/t/${code}`, 302)
    },
  )

  app.get<PageRequest>("/t/:code/logo", { schema: { hide: true } }, async (request, reply) => {
    const found = await pages.find(request, reply)
    if (!found) return reply
    const { logo } = await findSender(app.sql, found.link.organizationId)
    if (!logo) return pages.refuse(request, reply, "gone")
    const headers = {
      "cache-control": "private, max-age=3600",
      "content-security-policy": "default-src 'none'",
    }
    return reply.headers(headers).type(logo.type).send(logo.content)
  })

  app.get<PageRequest & { Params: { file: string } }>(
    "/t/:code/files/:file",
    { schema: { hide: true } },
    async (request, reply) => {
      const found = await pages.find(request, reply)
      const view = found && (await pages.view(found.link))?.view
      if (!found) return reply
      const { file } = request.params
      const key =
        file === "signature" ? view?.signature : /^\d{1,2}$/.test(file) ? view?.photos[Number(file)] : null
      return key ? sendObject(app, key, reply) : pages.refuse(request, reply, "gone")
    },
  )

  app.get<PageRequest>("/t/:code/report.pdf", { schema: { hide: true } }, async (request, reply) => {
    const found = await pages.find(request, reply)
    if (!found) return reply
    const { link } = found
    const known = link.kind === "task" ? await pages.view(link) : undefined
    const task = known?.view.hasDocument
      ? await findTaskOf(app.sql, link.organizationId, link.targetId)
      : undefined
    if (!task) return pages.refuse(request, reply, "gone")
    if (!(await app.limiter.take(`tracking-report:${link.id}`, maxChangesPerHour, 3600)))
      return pages.refuse(request, reply, "tooMany")
    const report = await hooks.report(app, task, request.query.lang)
    setPageHeaders(reply, newNonce())
    return reply
      .header("content-disposition", 'inline; filename="report.pdf"')
      .type("application/pdf")
      .send(report)
  })

  for (const action of ["times", "slot"] as const)
    app.post<PageRequest>(`/t/:code/${action}`, { schema: { hide: true } }, async (request, reply) => {
      const found = await pages.find(request, reply)
      if (!found) return reply
      if (!(await app.limiter.take(`tracking-times:${found.link.id}`, maxChangesPerHour, 3600)))
        return pages.refuse(request, reply, "tooMany")
      const known = found.link.kind === "task" ? await pages.view(found.link) : undefined
      if (!known) return pages.refuse(request, reply, "gone")
      const fields = (request.body ?? {}) as Record<string, string>
      if (action === "times") {
        const slots = await offerTimes(app, known, fields.offered ?? "", whileConnected(reply))
        const attempt = /^[1-9]$/.test(fields.attempt ?? "") ? Number(fields.attempt) + 1 : 1
        return pages.send(request, reply, found, slots === "busy" ? { attempt } : slots)
      }
      const isTaken = await chooseTime(app, known, fields.slot ?? "", hooks.onRescheduled)
      views.delete(found.link.id)
      return reply.redirect(
        `/t/${found.code}?sent=${isTaken ? "saved" : "slotTaken"}${languageOf(request)}`,
        303,
      )
    })

  for (const action of ["details", "cancellation", "rating", "opt-out", "opt-in"] as const)
    app.post<PageRequest>(`/t/:code/${action}`, { schema: { hide: true } }, async (request, reply) => {
      const found = await pages.find(request, reply)
      if (!found) return reply
      const isAllowed = await app.limiter.take(`tracking-change:${found.link.id}`, maxChangesPerHour, 3600)
      if (!isAllowed) return pages.refuse(request, reply, "tooMany")
      const known = found.link.kind === "task" ? await pages.view(found.link) : undefined
      if (!known) return pages.refuse(request, reply, "gone")
      const fields = (request.body ?? {}) as Record<string, string>
      const now = app.clock.now()
      if (action === "opt-out" || action === "opt-in")
        await hooks.setOptOut(app.sql, known.sender, known.view.contact, action === "opt-out", now)
      else await changeFromPage({ sql: app.sql, live: app.live, now }, known, { action, fields })
      views.delete(found.link.id)
      const sent = action === "rating" ? "thanks" : "saved"
      return reply.redirect(`/t/${found.code}?sent=${sent}${languageOf(request)}`, 303)
    })
}

const languageOf = ({ query }: PublicRequest) => (isLanguage(query.lang) ? `&lang=${query.lang}` : "")

const notices = ["saved", "thanks", "slotTaken"] as const

interface FoundLink {
  code: string
  link: TrackingLink
}

class PublicPages {
  readonly #app: App
  readonly #hooks: PublicPageHooks
  readonly #views: ShortCache<{ view: TrackingView; sender: Sender } | undefined>

  constructor(
    app: App,
    views: ShortCache<{ view: TrackingView; sender: Sender } | undefined>,
    hooks: PublicPageHooks,
  ) {
    this.#app = app
    this.#hooks = hooks
    this.#views = views
  }

  /** The link of a request; undefined once a page that refuses it was sent. */
  async find(request: PublicRequest, reply: FastifyReply): Promise<FoundLink | undefined> {
    const { sql, clock } = this.#app
    const { code } = request.params
    const link = await lookUpCode(this.#app, request.ip, code, (hash) => findLinkByHash(sql, hash))
    if (link === "tooMany") {
      await this.refuse(request, reply, "tooMany")
      return undefined
    }
    const isOpen = link && !link.revokedAt && Temporal.Instant.compare(link.expiresAt, clock.now()) > 0
    const isOffered =
      isOpen && (link.kind === "position" || (await findSender(sql, link.organizationId)).settings.isActive)
    if (isOffered) return { code: code.toLowerCase(), link }
    await this.refuse(request, reply, "gone")
    return undefined
  }

  async view(link: TrackingLink) {
    const { sql, links, clock } = this.#app
    const load = () =>
      trackingView({ sql, links, now: clock.now(), hasReports: true }, link.organizationId, link.targetId)
    const [known, sender] = await Promise.all([
      this.#views.get(link.id, load),
      findSender(sql, link.organizationId),
    ])
    if (!known || known.sender === sender) return known
    this.#views.delete(link.id)
    return this.#views.get(link.id, load)
  }

  async send(
    request: PublicRequest,
    reply: FastifyReply,
    { code, link }: FoundLink,
    slots: OfferedTimes | null = null,
  ) {
    const known = await this.view(link)
    if (!known) return this.refuse(request, reply, "gone")
    const { view, sender } = known
    const language = chooseLanguage(
      request.query.lang,
      view.contact.language,
      sender.settings.language,
      sender.language,
    )
    const nonce = newNonce()
    const { sent } = request.query
    const options = {
      code,
      language,
      nonce,
      notice: notices.find((notice) => notice === sent) ?? null,
      slots: isReschedulable(known, this.#app.clock.now()) ? slots : undefined,
      hasOptedOut: await this.#hooks.hasOptedOut(this.#app.sql, sender, view.contact),
      refreshSeconds: refreshSecondsOf(view, this.#app.clock.now()),
    }
    const tag = tagOf(renderFacts(view, sender, options))
    return sendPage(request, reply, { html: () => renderPage(view, sender, options), tag, nonce })
  }

  /** The page of a shared position. */
  async sendPosition(request: PublicRequest, reply: FastifyReply, { code, link }: FoundLink) {
    const { sql, clock } = this.#app
    const { organizationId, targetId } = link
    const [shared, sender] = await Promise.all([
      findSharedPosition(sql, organizationId, targetId, clock.now()),
      findSender(sql, organizationId),
    ])
    if (!shared) return this.refuse(request, reply, "gone")
    const language = chooseLanguage(request.query.lang, sender.settings.language, sender.language)
    const nonce = newNonce()
    const address = await addressOf(this.#app, shared, language)
    const { html, tag } = renderPosition(shared, address, sender, { code, language, nonce })
    return sendPage(request, reply, { html, tag, nonce })
  }

  async refuse(
    request: Pick<PublicRequest, "headers" | "query">,
    reply: FastifyReply,
    reason: "gone" | "tooMany",
  ) {
    const nonce = newNonce()
    setPageHeaders(reply, nonce)
    if (reason === "tooMany") reply.header("retry-after", "3600")
    const language = chooseLanguage(request.query.lang, ...acceptedTags(request.headers["accept-language"]))
    return reply
      .code(reason === "gone" ? 404 : 429)
      .type("text/html; charset=utf-8")
      .send(renderRefusal(reason, language, nonce))
  }
}

/** With the tag of its facts: who has them already gets no body. */
function sendPage(
  { headers }: Pick<PublicRequest, "headers">,
  reply: FastifyReply,
  { html, tag, nonce }: { html: () => string; tag: string; nonce: string },
) {
  setPageHeaders(reply, nonce)
  reply.header("etag", `"${tag}"`)
  if (headers["if-none-match"] === `"${tag}"`) return reply.code(304).send()
  return reply.type("text/html; charset=utf-8").send(html())
}

/** Seconds until the page asks again: often when the driver is near, seldom long before, never afterwards. */
export function refreshSecondsOf({ state, arrival }: TrackingView, now: Temporal.Instant): number {
  if (state === "done" || state === "failed") return 0
  if (state === "next" || state === "arrived") return 15
  const minutes = arrival ? now.until(arrival.at).total("minutes") : Number.POSITIVE_INFINITY
  return minutes < 60 ? 30 : minutes < 240 ? 60 : 300
}
