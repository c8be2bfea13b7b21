import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { paginate } from "#core/paging.ts"
import { installationSecret } from "#core/security/secrets.ts"
import { toT1 } from "#shared/wire-time.ts"
import { locationErrors } from "../errors.ts"
import { LocationsResponse } from "../schemas.ts"
import { readEmail } from "../store/location-entry.ts"
import { findMember } from "../store/people.ts"
import { createLink, type LinkRow, listLinks, openLink, revokeLink } from "./links.ts"
import { sharedRecords } from "./shared-position.ts"
import { isVisible, visiblePeople } from "./visible-people.ts"

const LinkSchema = Type.Object(
  {
    _id: IdSchema("link"),
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    date: Type.String(),
    createdBy: Type.Union([Type.String(), Type.Null()]),
    createdTime: Type.String(),
    expiresTime: Type.String(),
  },
  { title: "LocationLink" },
)

/** Creates the short address of a link, in the transaction that creates the link. */
export type ShortenLink = (
  tx: Tx,
  link: { organizationId: string; linkId: string; createdBy: string; expiresAt: Temporal.Instant },
  now: Temporal.Instant,
) => Promise<string>

/** Tracking links: each shows the last known position of one person on one day, and nothing else. */
export function linkRoutes(app: App, shorten: ShortenLink): void {
  let cached: Promise<Buffer> | undefined
  const secret = () => {
    cached ??= installationSecret(app.sql, "tracking-links")
    return cached
  }

  app.post("/location-history/generate-token", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "createTrackingLink",
      summary: "A token that shows where one person was last on one day",
      body: Type.Object({
        email: Type.String({ format: "email" }),
        date: Type.Optional(
          Type.String({
            format: "wire-date",
            description: "Default: today in the person's time zone",
          }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          token: Type.String(),
          url: Type.String({ description: "Short address of the page that shows it" }),
        }),
      },
    },
    async handler({ sql, caller, body, ip }) {
      const now = app.clock.now()
      const email = readEmail(body.email)
      if (email === null) throw locationErrors.required({ message: "email is required" })
      const sealing = await secret()
      const { token, url } = await inTransaction(sql, async (tx) => {
        const made = await createLink(tx, caller, { email, day: body.date }, sealing, now)
        const visible = await visiblePeople(tx, caller)
        const person = await findMember(tx, caller, made.link.userId)
        if (!person || !isVisible(visible, person.number)) throw locationErrors.badEmail()
        await audit(tx, actorOf(caller, ip), {
          action: "tracking-link.create",
          targetType: "user",
          targetId: made.link.userId,
          targetName: email,
          after: { date: made.link.day },
        })
        const { organizationId, linkId, expiresAt } = made.link
        const end = Temporal.Instant.fromEpochMilliseconds(expiresAt)
        const short = { organizationId, linkId, createdBy: caller.email, expiresAt: end }
        return { token: made.token, url: await shorten(tx, short, now) }
      })
      return { status: true as const, message: "Success.", token, url }
    },
  })

  app.get("/location-history/tracking/*", {
    config: { public: true },
    schema: {
      operationId: "getTrackingLink",
      summary: "Get the last known position for a tracking token",
      params: Type.Object({ "*": Type.String() }),
      response: { 200: LocationsResponse },
    },
    async handler({ params, address }) {
      const now = app.clock.now()
      const link = openLink(params["*"], await secret())
      if (!link) throw locationErrors.badLink()
      if (link.expiresAt < now.epochMilliseconds) throw locationErrors.linkExpired()
      const rows = await sharedRecords(app.sql, link, now)
      const page = { page: 1, limit: 1, offset: 0 }
      return {
        status: true as const,
        message: "Success",
        tasks: paginate(rows, rows.length, page, new URL(address.pathname, address)),
      }
    },
  })

  app.get("/location-links", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "listTrackingLinks",
      summary: "List active tracking links",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(LinkSchema),
        }),
      },
    },
    async handler({ sql, caller }) {
      const visible = await visiblePeople(sql, caller)
      const rows = await listLinks(sql, caller, app.clock.now())
      const data = rows.filter((row) => isVisible(visible, row.number)).map(toWireLink)
      return { status: true as const, message: "Success", data }
    },
  })

  app.delete("/location-link/:linkId", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "revokeTrackingLink",
      summary: "Revoke a tracking link",
      params: Type.Object({ linkId: IdSchema("link") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const userId = await revokeLink(tx, caller, params.linkId, app.clock.now())
        if (userId === undefined) throw locationErrors.notFound()
        const entry = { action: "tracking-link.revoke", targetType: "user", targetId: userId }
        await audit(tx, actorOf(caller, ip), entry)
      })
      return { status: true as const, message: "The link has been revoked" }
    },
  })
}

function toWireLink(row: LinkRow) {
  return {
    _id: row.id,
    userId: row.userId,
    email: row.email,
    name: row.name,
    date: row.day,
    createdBy: row.createdBy,
    createdTime: toT1(row.createdTime),
    expiresTime: toT1(row.expiresAt),
  }
}
