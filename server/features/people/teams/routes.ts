import { Type } from "typebox"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { teamErrors } from "./errors.ts"
import { createTeam, deleteTeam, findTeam, listTeams, type TeamRow, toWireTeam, updateTeam } from "./teams.ts"

const TeamSchema = Type.Object(
  {
    _id: IdSchema("team"),
    name: Type.String(),
    hubId: IdSchema("hub"),
    organizationId: IdSchema("organization"),
    totalUser: Type.Integer({ description: "People in the team, owners included" }),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Team" },
)
const TeamBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    hubId: IdSchema("hub"),
  },
  { title: "TeamInput" },
)
const TeamParams = Type.Object({ teamId: IdSchema("team") })
const written = <Code extends 200 | 201>(code: Code) =>
  Type.Object({
    status: Type.Literal(true),
    data: TeamSchema,
    code: Type.Literal(code),
    message: Type.String(),
  })

export function teamRoutes(app: App): void {
  const publishChange = async (tx: Tx, team: TeamRow): Promise<TeamRow> => {
    const { organizationId, hubId, id: teamId } = team
    await publish(tx, app.live, "team.changed", { organizationId, hubId, content: { teamId } })
    return team
  }

  app.get("/teams", {
    config: { permission: "view/team" },
    schema: {
      operationId: "listTeams",
      summary: "List the teams of the caller's hubs",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        hubId: Type.Optional(Type.String({ description: "Comma-separated list" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          data: PaginatorSchema(TeamSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "team")
      const hubIds = query.hubId === undefined ? undefined : commaList(query.hubId.toLowerCase())
      const { rows, total } = await listTeams(sql, caller, hubIds, page)
      const data = paginate(rows.map(toWireTeam), total, page, address)
      return { status: true as const, code: 200 as const, data }
    },
  })

  app.get("/team/:teamId", {
    config: { permission: "view/team", quick: true },
    schema: {
      operationId: "getTeam",
      summary: "Get a team",
      params: TeamParams,
      response: {
        200: Type.Object({ status: Type.Literal(true), code: Type.Literal(200), data: TeamSchema }),
      },
    },
    async handler({ sql, caller, params }) {
      const team = await findTeam(sql, caller, params.teamId)
      if (!team) throw teamErrors.notFound()
      return { status: true as const, code: 200 as const, data: toWireTeam(team) }
    },
  })

  app.post("/team", {
    config: { permission: "add/team" },
    schema: {
      operationId: "createTeam",
      summary: "Create a team in a hub",
      body: TeamBody,
      response: { 201: written(201) },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const team = await inTransaction(sql, async (tx) =>
        publishChange(tx, await createTeam(tx, caller, body, ip)),
      )
      reply.code(201)
      const message = "Team has been created"
      return { status: true as const, data: toWireTeam(team), code: 201 as const, message }
    },
  })

  app.put("/team/:teamId", {
    config: { permission: "edit/team" },
    schema: {
      operationId: "updateTeam",
      summary: "Rename a team, or move a team without members to another hub",
      params: TeamParams,
      body: TeamBody,
      response: { 200: written(200) },
    },
    async handler({ sql, caller, params, body, ip }) {
      const team = await inTransaction(sql, async (tx) =>
        publishChange(tx, await updateTeam(tx, caller, params.teamId, body, ip)),
      )
      const message = "Team has been updated"
      return { status: true as const, data: toWireTeam(team), code: 200 as const, message }
    },
  })

  app.delete("/team/:teamId", {
    config: { permission: "delete/team" },
    schema: {
      operationId: "deleteTeam",
      summary: "Delete a team without members",
      params: TeamParams,
      response: { 200: written(200) },
    },
    async handler({ sql, caller, params, ip }) {
      const team = await inTransaction(sql, async (tx) =>
        publishChange(tx, await deleteTeam(tx, caller, params.teamId, ip)),
      )
      const message = "Team has been deleted"
      return { status: true as const, data: toWireTeam(team), code: 200 as const, message }
    },
  })
}
