import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { isOperatorOrganization } from "../../organization/organizations/index.ts"
import { createReadAudit } from "../positions/index.ts"
import { trackerErrors } from "./errors.ts"
import { changeTracker, listWireTrackers, registerTracker, removeTracker } from "./manage.ts"
import { listUnknown } from "./queries.ts"
import { readMessages } from "./read-messages.ts"
import {
  MessagesResponse,
  NewTrackerBody,
  TrackerBody,
  TrackerParams,
  TrackerResponse,
  TrackersResponse,
  UnknownTrackersResponse,
} from "./schemas.ts"

/** GPS trackers of the organization: registered by IMEI, each for one person. */
export function trackerRoutes(app: App): void {
  const auditRead = createReadAudit()
  const success = { status: true as const, message: "Success" }

  app.get("/trackers", {
    config: { permission: "edit/member" },
    schema: {
      operationId: "listTrackers",
      summary: "List registered GPS trackers",
      querystring: Type.Object({ userId: Type.Optional(IdSchema("user")) }),
      response: { 200: TrackersResponse },
    },
    async handler({ sql, caller, query }) {
      const data = await listWireTrackers(sql, caller, query.userId)
      const maySeeUnknown = await isOperatorOrganization(sql, caller.organizationId)
      return { ...success, data, ports: [...app.settings.trackerPorts], maySeeUnknown }
    },
  })

  app.post("/tracker", {
    config: { permission: "edit/member" },
    schema: {
      operationId: "registerTracker",
      summary: "Register a GPS tracker by its IMEI",
      description: "The device's positions become those of the person.",
      body: NewTrackerBody,
      response: { 201: TrackerResponse },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const data = await registerTracker(sql, { caller, address: ip, now: app.clock.now() }, body)
      reply.code(201)
      return { ...success, data }
    },
  })

  app.put("/tracker/:trackerId", {
    config: { permission: "edit/member" },
    schema: {
      operationId: "updateTracker",
      summary: "Change the name, protocol or person of a GPS tracker",
      params: TrackerParams,
      body: TrackerBody,
      response: { 200: TrackerResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const change = { caller, address: ip, now: app.clock.now() }
      return { ...success, data: await changeTracker(sql, change, params.trackerId, body) }
    },
  })

  app.delete("/tracker/:trackerId", {
    config: { permission: "edit/member" },
    schema: {
      operationId: "deleteTracker",
      summary: "Remove a GPS tracker; its positions remain",
      params: TrackerParams,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await removeTracker(sql, { caller, address: ip, now: app.clock.now() }, params.trackerId)
      return { status: true as const, message: "The device has been removed" }
    },
  })

  app.get("/tracker/:trackerId/messages", {
    config: { permission: "edit/member" },
    schema: {
      operationId: "listTrackerMessages",
      summary: "List the last 100 messages of a GPS tracker as they were received",
      description: "They contain positions: other people's require view/tracking.",
      params: TrackerParams,
      response: { 200: MessagesResponse },
    },
    async handler({ caller, params, ip }) {
      const { person, messages } = await readMessages(app.sql, caller, params.trackerId, app.clock.now())
      await auditRead(app.sql, caller, ip, { userId: person.userId, email: person.email, how: "tracker" })
      return { ...success, data: messages }
    },
  })

  app.get("/unknown-trackers", {
    config: { permission: "edit/member" },
    schema: {
      operationId: "listUnknownTrackers",
      summary: "List devices that contacted the installation and are not registered",
      description:
        "For the first organization of the installation. Nothing that these devices send is stored.",
      response: { 200: UnknownTrackersResponse },
    },
    async handler({ sql, caller }) {
      if (!(await isOperatorOrganization(sql, caller.organizationId))) throw trackerErrors.notOperator()
      const rows = await listUnknown(sql)
      const data = rows.map(({ imei, protocol, address, firstContactAt, lastContactAt }) => ({
        imei,
        protocol,
        address,
        firstContactTime: toT1(firstContactAt),
        lastContactTime: toT1(lastContactAt),
      }))
      return { ...success, data }
    },
  })
}
