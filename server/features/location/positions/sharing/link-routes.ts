import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { paginate } from "#core/paging.ts"
import { installationSecret } from "#core/security/secrets.ts"
import { toT1 } from "#shared/wire-time.ts"
import { locationErrors } from "../errors.ts"
import { listRecords } from "../records/list-records.ts"
import { toWireLocation } from "../records/record-rows.ts"
import { LocationsResponse } from "../schemas.ts"
import { readEmail } from "../store/location-entry.ts"
import { createLink, openLink, type SharedDay, timeZoneOf } from "./links.ts"
import { isInSight, isVisible, visiblePeople } from "./visible-people.ts"

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

interface LinkRow {
  id: string
  userId: string
  number: number
  email: string
  name: string
  day: string
  createdBy: string | null
  createdTime: Temporal.Instant
  expiresAt: Temporal.Instant
}

/** Tracking links: each shows the last known position of one person on one day, and nothing else. */
export function linkRoutes(app: App): void {
  let cached: Promise<Buffer> | undefined
  const secret = () => {
    cached ??= installationSecret(app.sql, "tracking-links")
    return cached
  }

  app.post(
    "/location-history/generate-token",
    {
      config: { permission: "view/tracking" },
      schema: {
        tags: ["Locations"],
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
          200: Type.Object({ status: Type.Literal(true), message: Type.String(), token: Type.String() }),
        },
      },
    },
    async ({ sql, caller, body, ip }) => {
      const now = app.clock.now()
      const email = readEmail(body.email)
      if (email === null) throw locationErrors.required({ message: "email is required" })
      const sealing = await secret()
      const { token } = await inTransaction(sql, async (tx) => {
        const made = await createLink(tx, caller, { email, day: body.date }, sealing, now)
        const visible = await visiblePeople(tx, caller)
        const [person] = await tx<{ number: number }[]>`
          select number from users where organization_id = ${caller.organizationId} and id = ${made.link.userId}`
        if (!person || !isVisible(visible, person.number)) throw locationErrors.badEmail()
        await audit(tx, actorOf(caller, ip), {
          action: "tracking-link.create",
          targetType: "user",
          targetId: made.link.userId,
          targetName: email,
          after: { date: made.link.day },
        })
        return made
      })
      return { status: true as const, message: "Success.", token }
    },
  )

  app.get(
    "/location-history/tracking/*",
    {
      config: { public: true },
      schema: {
        tags: ["Locations"],
        operationId: "getTrackingLink",
        summary: "Get the last known position for a tracking token",
        params: Type.Object({ "*": Type.String() }),
        response: { 200: LocationsResponse },
      },
    },
    async ({ params, address }) => {
      const now = app.clock.now()
      const link = openLink(params["*"], await secret())
      if (!link) throw locationErrors.badLink()
      if (link.expiresAt < now.epochMilliseconds) throw locationErrors.linkExpired()
      const rows = await recordsOf(app, link, now)
      const page = { page: 1, limit: 1, offset: 0 }
      return {
        status: true as const,
        message: "Success",
        tasks: paginate(rows, rows.length, page, new URL(address.pathname, address)),
      }
    },
  )

  app.get(
    "/location-links",
    {
      config: { permission: "view/tracking" },
      schema: {
        tags: ["Locations"],
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
    },
    async ({ sql, caller }) => {
      const visible = await visiblePeople(sql, caller)
      const rows = await sql<LinkRow[]>`
        select link.id, link.user_id, users.number, users.email, users.name, link.day, link.created_by, link.created_time,
          link.expires_at
        from location_links link
        join users on users.organization_id = link.organization_id and users.id = link.user_id
        where link.organization_id = ${caller.organizationId} and link.revoked_at is null
          and link.expires_at > ${app.clock.now()}
        order by link.created_time desc limit 1000`
      const data = rows.filter((row) => isVisible(visible, row.number)).map(toWireLink)
      return { status: true as const, message: "Success", data }
    },
  )

  app.delete(
    "/location-link/:linkId",
    {
      config: { permission: "view/tracking" },
      schema: {
        tags: ["Locations"],
        operationId: "revokeTrackingLink",
        summary: "Revoke a tracking link",
        params: Type.Object({ linkId: IdSchema("link") }),
        response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
      },
    },
    async ({ sql, caller, params, ip }) => {
      await inTransaction(sql, async (tx) => {
        const rows = await tx<{ userId: string }[]>`
          update location_links link set revoked_at = ${app.clock.now()} from users
          where link.organization_id = ${caller.organizationId} and link.id = ${params.linkId.toLowerCase()}
            and link.revoked_at is null
            and users.organization_id = link.organization_id and users.id = link.user_id and ${isInSight(tx, caller)}
          returning link.user_id`
        if (!rows[0]) throw locationErrors.notFound()
        const entry = { action: "tracking-link.revoke", targetType: "user", targetId: rows[0].userId }
        await audit(tx, actorOf(caller, ip), entry)
      })
      return { status: true as const, message: "The link has been revoked" }
    },
  )
}

function toWireLink(row: LinkRow) {
  return {
    _id: row.id as never,
    userId: row.userId,
    email: row.email,
    name: row.name,
    date: row.day,
    createdBy: row.createdBy,
    createdTime: toT1(row.createdTime),
    expiresTime: toT1(row.expiresAt),
  }
}

/** At most one record, without private fields. Refuses a link that was revoked meanwhile. */
async function recordsOf(app: App, link: SharedDay, now: Temporal.Instant) {
  const found = await app.sql<{ number: number; organizationNumber: number; revokedAt: unknown }[]>`
    select users.number, organizations.number as organization_number, link.revoked_at from location_links link
    join users on users.organization_id = link.organization_id and users.id = link.user_id
    join organizations on organizations.id = link.organization_id
    where link.organization_id = ${link.organizationId} and link.id = ${link.linkId}`
  const person = found[0]
  if (!person || person.revokedAt) throw locationErrors.linkExpired()
  const zone = await timeZoneOf(app.sql, link.organizationId, link.userId)
  const day = Temporal.PlainDate.from(link.day)
  const from = day.toZonedDateTime(zone).toInstant()
  const to = day.add({ days: 1 }).toZonedDateTime(zone).toInstant().subtract({ milliseconds: 1 })
  const tenant = { organizationId: link.organizationId, organizationNumber: person.organizationNumber }
  const rows = await listRecords(
    app.sql,
    {
      tenant,
      people: [person.number],
      taskId: undefined,
      timeBy: "createdTime",
      from,
      to,
      startFinish: undefined,
      isLatest: undefined,
      eventName: undefined,
      createdFrom: undefined,
      now,
    },
    "desc",
    { page: 1, limit: 1, offset: 0 },
  )
  return rows.map((row) => {
    const {
      data: _data,
      createdBy: _createdBy,
      updatedBy: _updatedBy,
      ...shown
    } = toWireLocation(row, tenant)
    return shown
  })
}
