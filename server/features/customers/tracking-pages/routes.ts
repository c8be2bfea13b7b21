import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findTasks, taskErrors } from "../../work/tasks/index.ts"
import { trackingPageErrors } from "./errors.ts"
import { findLink, revokeLink } from "./links.ts"
import { findSender, invalidateSender } from "./sender.ts"
import { defaultSettings, readLogo, readSettings, TrackingSettingsSchema, writeSettings } from "./settings.ts"
import { trackingLinkOf } from "./short-link.ts"

const LinkSchema = Type.Object(
  {
    url: Type.String({
      description: "Address for the customer",
      examples: ["https://field.example/t/7k2m9x4q0d"],
    }),
    createdTime: Type.String(),
    expiresTime: Type.String({ description: "When the link stops working" }),
  },
  { title: "TaskTrackingLink" },
)
const LinkResponse = Type.Object({ status: Type.Literal(true), message: Type.String(), data: LinkSchema })
const SettingsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    ...TrackingSettingsSchema.properties,
    logo: Type.Union([Type.String(), Type.Null()], { description: "A data URL, or null" }),
  }),
})
const BrandResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object(
    {
      logo: Type.Union([Type.String(), Type.Null()], { description: "A data URL, or null" }),
      color: Type.Union([Type.String(), Type.Null()], {
        description: "Null until one is chosen",
        examples: ["#176452"],
      }),
    },
    { title: "OrganizationBrand" },
  ),
})
const Params = Type.Object({ taskId: IdSchema("task") })
const success = { status: true as const, message: "Success" }

/** The settings of tracking pages, and the links of single tasks. */
export function trackingPageRoutes(app: App): void {
  settingsRoutes(app)

  app.get("/task/:taskId/tracking-link", {
    config: { permission: "view/task" },
    schema: {
      operationId: "getTaskTrackingLink",
      summary: "Get the customer's tracking link of a task",
      description: "Returns 404 if the task has no link, or if it was revoked.",
      params: Params,
      response: { 200: LinkResponse },
    },
    async handler({ sql, caller, params }) {
      const [task] = await findTasks(sql, caller, [params.taskId])
      if (!task) throw taskErrors.notFound()
      const target = { organizationId: task.organizationId, kind: "task" as const, targetId: task.id }
      const found = await findLink(sql, app.sql, target)
      if (!found) throw trackingPageErrors.notFound()
      return { ...success, data: wireLink(`${app.settings.publicUrl}/t/${found.code}`, found.link) }
    },
  })

  app.post("/task/:taskId/tracking-link", {
    config: { permission: "edit/task" },
    schema: {
      operationId: "createTaskTrackingLink",
      summary: "Create the customer's tracking link of a task",
      description:
        "Returns the same link each time until it is revoked, and prolongs it where the task has moved to a later time. The link shows the customer's page of this task and grants nothing else.",
      params: Params,
      response: { 200: LinkResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const now = app.clock.now()
      return inTransaction(sql, async (tx) => {
        const [task] = await findTasks(tx, caller, [params.taskId])
        if (!task) throw taskErrors.notFound()
        const { expiresDays } = (await findSender(app.sql, caller.organizationId)).settings
        const context = { sql: tx, pool: app.sql, publicUrl: app.settings.publicUrl, now }
        const { url, link } = await trackingLinkOf(context, task, { createdBy: caller.email, expiresDays })
        if (Temporal.Instant.compare(link.createdTime, now) === 0)
          await audit(tx, actorOf(caller, ip), {
            action: "task-link.create",
            targetType: "task",
            targetId: task.id,
          })
        return { ...success, data: wireLink(url, link) }
      })
    },
  })

  app.delete("/task/:taskId/tracking-link", {
    config: { permission: "edit/task" },
    schema: {
      operationId: "revokeTaskTrackingLink",
      summary: "Revoke the customer's tracking link of a task",
      description: "The old address stops working at once; a new link has another one.",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const [task] = await findTasks(tx, caller, [params.taskId])
        if (!task) throw taskErrors.notFound()
        const target = { organizationId: task.organizationId, kind: "task" as const, targetId: task.id }
        if (!(await revokeLink(tx, target, app.clock.now()))) throw trackingPageErrors.notFound()
        await audit(tx, actorOf(caller, ip), {
          action: "task-link.revoke",
          targetType: "task",
          targetId: task.id,
        })
      })
      return { status: true as const, message: "The link has been revoked" }
    },
  })
}

function settingsRoutes(app: App): void {
  app.get("/organization-brand", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "getOrganizationBrand",
      summary: "Get the logo and the colour of the caller's organization",
      description: "They are set with the tracking pages and shown in the console too.",
      response: { 200: BrandResponse },
    },
    async handler({ sql, caller }) {
      const { logo, color } = await wireSettings(sql, caller.organizationId)
      return { ...success, data: { logo, color: color === defaultSettings.color ? null : color } }
    },
  })

  app.get("/tracking-page-settings", {
    config: { permission: "view/organization" },
    schema: {
      operationId: "getTrackingPageSettings",
      summary: "Get the settings of tracking pages",
      response: { 200: SettingsResponse },
    },
    handler: async ({ sql, caller }) => ({
      ...success,
      data: await wireSettings(sql, caller.organizationId),
    }),
  })

  app.put("/tracking-page-settings", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceTrackingPageSettings",
      summary: "Replace the settings of tracking pages",
      description: "Settings that are left out get their default. Without `logo` the logo stays.",
      body: Type.Object({
        ...Type.Partial(TrackingSettingsSchema).properties,
        fields: Type.Optional(Type.Partial(TrackingSettingsSchema.properties.fields)),
        logo: Type.Optional(
          Type.Union([Type.String({ maxLength: 300_000 }), Type.Null()], {
            description: "A PNG, JPEG or WebP picture of at most 200 kB as a data URL; null removes it",
          }),
        ),
      }),
      response: { 200: SettingsResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const { logo: sent, fields, ...rest } = body
      const logo = typeof sent === "string" ? readLogo(sent) : sent
      if (typeof sent === "string" && !logo) throw trackingPageErrors.badLogo()
      const settings = { ...defaultSettings, ...rest, fields: { ...defaultSettings.fields, ...fields } }
      await inTransaction(sql, async (tx) => {
        const before = await readSettings(tx, caller.organizationId)
        await writeSettings(tx, caller, settings, logo)
        await audit(tx, actorOf(caller, ip), {
          action: "tracking-page.update",
          targetType: "organization",
          targetId: caller.organizationId,
          before: before.settings,
          after: settings,
        })
      })
      invalidateSender(app.sql, caller.organizationId)
      return { status: true as const, message: "Saved", data: await wireSettings(sql, caller.organizationId) }
    },
  })
}

async function wireSettings(sql: Parameters<typeof readSettings>[0], organizationId: string) {
  const { settings, logo } = await readSettings(sql, organizationId)
  return { ...settings, logo: logo ? `data:${logo.type};base64,${logo.content.toString("base64")}` : null }
}

function wireLink(url: string, link: { createdTime: Temporal.Instant; expiresAt: Temporal.Instant }) {
  return { url, createdTime: toT1(link.createdTime), expiresTime: toT1(link.expiresAt) }
}
