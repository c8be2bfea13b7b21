import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, pickFields, readDirection, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { toT2 } from "#shared/wire-time.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { findCapacityConstraints } from "../../capacity-constraints/index.ts"
import { constraintsByName } from "../constraints-by-name.ts"
import { configurationErrors } from "../errors.ts"
import {
  type ConfigurationRow,
  findConfiguration,
  findCurrentConfiguration,
  insertConfiguration,
  listConfigurations,
  removeConfiguration,
  updateConfiguration,
} from "./configurations.ts"
import { defaultSettings, mergeSettings, SettingsInput, SettingsSchema } from "./settings.ts"

const Constraint = Type.Object({ name: Type.String(), denominator: Type.String() })

const ConfigurationSchema = Type.Object(
  {
    ...SettingsSchema.properties,
    _id: IdSchema("routing-configuration"),
    hubId: IdSchema("hub"),
    organizationId: IdSchema("organization"),
    capacityConstraint: Type.Array(Constraint),
    rawConstraint: Type.Record(Type.String(), Constraint, { description: "The constraints by name" }),
    returnToBase: Type.Boolean(),
    isDeleted: Type.Boolean(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "RouteConfiguration", additionalProperties: true },
)

const Required = Type.Object({
  ...SettingsInput.properties,
  name: Type.String({ minLength: 1, maxLength: 255 }),
  capacityConstraint: Type.Array(
    Type.Union([Type.String({ minLength: 1 }), Type.Object({ name: Type.String({ minLength: 1 }) })]),
    { maxItems: 10 },
  ),
  defaultVisitTime: Type.Integer({ minimum: 0, maximum: 1440, description: "Minutes" }),
  defaultSpeed: Type.Number({ minimum: 5, maximum: 200, description: "km/h" }),
  autoSpeed: Type.Boolean(),
  multitrip: Type.Boolean(),
  returnToHub: Type.Boolean(),
  useAllVehicle: Type.Boolean(),
})

const Params = Type.Object({ configurationId: IdSchema("routing-configuration") })
const ConfigurationResponse = Type.Object({ status: Type.Literal(true), data: ConfigurationSchema })
const notFound = () => configurationErrors.notFound({ extra: { data: [] } })

/** The profiles that hubs plan with. */
export function configurationRoutes(app: App): void {
  app.get("/configurations", {
    config: { permission: "view/configuration" },
    schema: {
      operationId: "listConfigurations",
      summary: "List the profiles of the caller's hubs",
      querystring: Type.Object({
        ...ListQuery,
        sortBy: Type.Optional(Type.String()),
        hubId: Type.Optional(Type.String()),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(Type.Partial(ConfigurationSchema, { additionalProperties: true })),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const { limit, offset } = readPage(query, "conf")
      const rows = await listConfigurations(sql, caller, {
        hubId: query.hubId,
        sortBy: query.sortBy ?? "createdTime",
        direction: readDirection(query.sortOrder),
        limit,
        offset,
      })
      const wire = await wireOf(sql, caller)
      return { status: true as const, data: rows.map((row) => pickFields(wire(row), query.fields)) }
    },
  })

  app.get("/configuration/hub/:hubId", {
    config: { permission: "view/configuration" },
    schema: {
      operationId: "getConfigurationOfHub",
      summary: "Get the active profile of a hub; a default one is created if there is none",
      params: Type.Object({ hubId: IdSchema("hub") }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ConfigurationSchema }),
      },
    },
    async handler({ sql, caller, params }) {
      const hub = await findHub(sql, caller, params.hubId)
      if (!hub) throw notFound()
      const row =
        (await findCurrentConfiguration(sql, caller, hub.id)) ??
        (await inTransaction(sql, (tx) => insertConfiguration(tx, caller, hub.id, defaultSettings)))
      return { status: true as const, message: "Success", data: (await wireOf(sql, caller))(row) }
    },
  })

  app.get("/configuration/:configurationId", {
    config: { permission: "view/configuration", quick: true },
    schema: {
      operationId: "getConfiguration",
      summary: "Get a profile",
      params: Params,
      response: { 200: ConfigurationResponse },
    },
    async handler({ sql, caller, params }) {
      const row = await findConfiguration(sql, caller, params.configurationId)
      if (!row) throw notFound()
      return { status: true as const, data: (await wireOf(sql, caller))(row) }
    },
  })

  app.post("/configuration", {
    config: { permission: "edit/configuration" },
    schema: {
      operationId: "createConfiguration",
      summary: "Create a profile of a hub, which becomes its active profile",
      body: Type.Object({ ...Required.properties, hubId: IdSchema("hub") }),
      response: { 200: ConfigurationResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const { hubId, ...sent } = body
      if (!(await findHub(sql, caller, hubId)))
        throw configurationErrors.badHub({ fields: { hubId: ["is not one of your hubs"] } })
      const row = await inTransaction(sql, async (tx) => {
        const made = await insertConfiguration(tx, caller, hubId, settingsOf(sent))
        await note(tx, caller, ip, "create", made)
        return made
      })
      return { status: true as const, data: (await wireOf(sql, caller))(row) }
    },
  })

  app.put("/configuration/:configurationId", {
    config: { permission: "edit/configuration" },
    schema: {
      operationId: "replaceConfiguration",
      summary: "Replace a profile; absent settings get their defaults",
      params: Params,
      body: Required,
      response: { 200: ConfigurationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const before = await findConfiguration(tx, caller, params.configurationId)
        if (!before) throw notFound()
        const after = await updateConfiguration(tx, caller, before.id, settingsOf(body))
        await note(tx, caller, ip, "update", after, before)
        return after
      })
      return { status: true as const, data: (await wireOf(sql, caller))(row) }
    },
  })

  app.delete("/configuration/:configurationId", {
    config: { permission: "edit/configuration" },
    schema: {
      operationId: "deleteConfiguration",
      summary: "Delete a profile; the last one of a hub cannot be deleted",
      params: Params,
      response: { 200: ConfigurationResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const row = await inTransaction(sql, async (tx) => {
        const found = await findConfiguration(tx, caller, params.configurationId)
        if (!found) throw notFound()
        await removeConfiguration(tx, caller, found)
        await note(tx, caller, ip, "delete", found)
        return found
      })
      return { status: true as const, data: { ...(await wireOf(sql, caller))(row), isDeleted: true } }
    },
  })

  async function note(
    tx: Tx,
    caller: Caller,
    address: string,
    verb: string,
    row: ConfigurationRow,
    before?: ConfigurationRow,
  ): Promise<void> {
    await audit(tx, actorOf(caller, address), {
      action: `routingConfiguration.${verb}`,
      targetType: "routingConfiguration",
      targetId: row.id,
      targetName: row.name,
      before: before?.settings,
      after: verb === "delete" ? undefined : row.settings,
    })
    const { organizationId } = caller
    await publish(tx, app.live, "routing.settings", {
      organizationId,
      hubId: row.hubId,
      content: { hubId: row.hubId },
    })
  }
}

function settingsOf(sent: SettingsInput & { name: string }) {
  const settings = mergeSettings(defaultSettings, { ...sent, name: readLine(sent.name, "conf", "name") })
  if (settings.crossDockingType !== "none" && settings.subHubs.length === 0)
    throw configurationErrors.badInput({
      message: "subHubs is required for cross-docking",
      fields: { subHubs: ["is required"] },
    })
  return settings
}

/** Profiles as the wire has them, with the units of their constraints. */
async function wireOf(sql: Sql, caller: Caller) {
  const known = new Map(
    (await findCapacityConstraints(sql, caller)).map(({ name, denominator }) => [name, denominator]),
  )
  return (row: ConfigurationRow): Static<typeof ConfigurationSchema> => {
    const constraints = row.settings.capacityConstraint.map((name) => ({
      name,
      denominator: known.get(name) ?? "",
    }))
    return {
      ...row.settings,
      _id: row.id,
      hubId: row.hubId,
      organizationId: row.organizationId,
      capacityConstraint: constraints,
      rawConstraint: constraintsByName(constraints),
      returnToBase: row.settings.returnToHub,
      isDeleted: false,
      createdTime: toT2(row.createdTime),
      updatedTime: toT2(row.updatedTime),
    }
  }
}
