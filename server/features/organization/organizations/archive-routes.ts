import { type Static, Type } from "typebox"
import { refusePersonalToken } from "#core/access/access.ts"
import { actsAsOwner, type Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { currentArchive, type OrganizationArchive, requestArchive } from "./archive.ts"
import { organizationErrors } from "./errors.ts"

const Params = Type.Object({ organizationId: IdSchema("organization") })
const ArchiveSchema = Type.Object({
  status: Type.Union([Type.Literal("making"), Type.Literal("ready"), Type.Literal("failed")]),
  requestedTime: Type.String(),
  completedTime: Type.Union([Type.String(), Type.Null()]),
  bytes: Type.Union([Type.Integer(), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
  link: Type.Union([Type.String(), Type.Null()], {
    description: "Valid for 15 minutes for anyone who has it; read again for a new one",
  }),
})

const linkSeconds = 15 * 60

/** Whether the password is the caller's own. */
export type ConfirmPassword = (pool: Pool, caller: Caller, password: string) => Promise<boolean>

/** A full export by an owner, offered before the organization is deleted. */
export function archiveRoutes(app: App, confirmPassword: ConfirmPassword): void {
  app.post("/organization/:organizationId/archive", {
    config: { permission: "edit/organization", idempotent: false },
    schema: {
      operationId: "archiveOrganization",
      summary: "Create an archive of everything in the organization",
      description:
        "Owners only, with their password. The archive is created in the background; only the owner who requested it can read its link. It is a tar file for `organization:import`, without passwords, second factors, tokens and texts of mails. It is kept for a week, or until the organization is deleted.",
      params: Params,
      body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 1000 }) }),
      response: {
        202: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ArchiveSchema }),
      },
    },
    async handler({ sql, caller, params, body, ip }, reply) {
      checkOwner(caller, params.organizationId)
      if (!(await confirmPassword(app.sql, caller, body.password)))
        throw organizationErrors.wrongPassword({ message: "The password is incorrect. Nothing was exported" })
      const archive = await inTransaction(sql, async (tx) => {
        const wanted = await requestArchive(tx, caller, app.clock.now())
        await audit(tx, actorOf(caller, ip), {
          action: "organization.export",
          targetType: "organization",
          targetId: caller.organizationId,
          targetName: caller.email,
        })
        return wanted
      })
      reply.code(202)
      return { status: true as const, message: "The archive is being created", data: toWire(archive, caller) }
    },
  })

  app.get("/organization/:organizationId/archive", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "getOrganizationArchive",
      summary: "Get the state of the archive and its link",
      description: "Owners only; the link is returned to the owner who requested the archive.",
      params: Params,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Union([ArchiveSchema, Type.Null()]),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      checkOwner(caller, params.organizationId)
      const archive = await currentArchive(sql, caller.organizationId)
      return { status: true as const, message: "Success", data: archive ? toWire(archive, caller) : null }
    },
  })

  function toWire(archive: OrganizationArchive, caller: Caller): Static<typeof ArchiveSchema> {
    const isTheirs = archive.userId === caller.userId
    const { fileKey, completedTime } = archive
    return {
      status: archive.status,
      requestedTime: toT1(archive.requestedTime),
      completedTime: completedTime && toT1(completedTime),
      bytes: archive.bytes,
      error: archive.error,
      link: isTheirs && fileKey ? app.links.sign(fileKey, app.clock.now(), linkSeconds) : null,
    }
  }
}

function checkOwner(caller: Caller, organizationId: string): void {
  if (organizationId.toLowerCase() !== caller.organizationId) throw organizationErrors.notFound()
  refusePersonalToken(caller, "org")
  if (!actsAsOwner(caller))
    throw organizationErrors.ownersOnly({ message: "Only an owner can export the organization" })
}
