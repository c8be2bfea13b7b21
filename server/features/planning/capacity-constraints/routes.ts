import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, json, type Sql, type Tx } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import { publish } from "#core/events/live-events.ts"
import type { App } from "#core/http/types.ts"
import { type Id, IdSchema, newId } from "#core/ids.ts"
import { toT2 } from "#shared/wire-time.ts"

export const capacityErrors = defineErrors("capac", {
  notFound: { http: 404, code: "033", message: "data not found" },
  exists: {
    http: 400,
    code: "031",
    message: "The organization already has capacity constraints. Update those",
  },
  doubleName: {
    http: 400,
    code: "002",
    message: "Two capacity constraints have the same name. Rename one of them",
  },
})

const Constraint = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, description: "Key in capacities and results" }),
    denominator: Type.String({ maxLength: 50, description: "Unit, for example Kg or m3" }),
  },
  { title: "CapacityConstraint" },
)
const ConstraintsSchema = Type.Object(
  {
    _id: IdSchema("capacity-constraints"),
    name: Type.Union([Type.String(), Type.Null()]),
    capacityConstraint: Type.Array(Constraint),
    organizationId: IdSchema("organization"),
    isDeleted: Type.Boolean(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "CapacityConstraints" },
)
const Body = Type.Object({
  name: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  capacityConstraint: Type.Array(Constraint, { maxItems: 1000 }),
})
const ConstraintsResponse = Type.Object({ status: Type.Literal(true), data: ConstraintsSchema })
const Params = Type.Object({ capacityConstraintId: IdSchema("capacity-constraints") })

interface Row {
  id: Id<"capacity-constraints">
  organizationId: Id<"organization">
  name: string | null
  capacityConstraint: Static<typeof Constraint>[]
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** What vehicles can carry: names and units, one document for the whole organization. */
export function capacityConstraintRoutes(app: App): void {
  app.get(
    "/capacity-constraints",
    {
      config: { permission: "view/configuration" },
      schema: {
        tags: ["Capacity constraints"],
        operationId: "listCapacityConstraints",
        summary: "List the organization's capacity constraints as at most one document",
        response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(ConstraintsSchema) }) },
      },
    },
    async ({ sql, caller }) => {
      const found = await find(sql, caller)
      return { status: true as const, data: found ? [toWire(found)] : [] }
    },
  )

  app.get(
    "/capacity-constraint",
    {
      config: { permission: "view/configuration" },
      schema: {
        tags: ["Capacity constraints"],
        operationId: "getOwnCapacityConstraint",
        summary: "Get the organization's capacity constraints; 404 until they are defined",
        response: {
          200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ConstraintsSchema }),
        },
      },
    },
    async ({ sql, caller }) => {
      const found = await find(sql, caller)
      if (!found) throw capacityErrors.notFound()
      return { status: true as const, message: "Success", data: toWire(found) }
    },
  )

  app.get(
    "/capacity-constraint/:capacityConstraintId",
    {
      config: { permission: "view/configuration" },
      schema: {
        tags: ["Capacity constraints"],
        operationId: "getCapacityConstraint",
        summary: "Get the capacity constraints by id",
        params: Params,
        response: { 200: ConstraintsResponse },
      },
    },
    async ({ sql, caller, params }) => {
      const found = await find(sql, caller, params.capacityConstraintId)
      if (!found) throw capacityErrors.notFound()
      return { status: true as const, data: toWire(found) }
    },
  )

  app.post(
    "/capacity-constraint",
    {
      config: { permission: "edit/constraint" },
      schema: {
        tags: ["Capacity constraints"],
        operationId: "createCapacityConstraint",
        summary: "Create the organization's capacity constraints",
        body: Body,
        response: { 200: ConstraintsResponse },
      },
    },
    async ({ sql, caller, body, ip }) => {
      checkNames(body.capacityConstraint)
      const made = await inTransaction(sql, async (tx) => {
        const row = await insert(tx, caller, body.capacityConstraint, body.name)
        if (!row) throw capacityErrors.exists()
        await note(tx, caller, ip, "create", row)
        return row
      })
      return { status: true as const, data: toWire(made) }
    },
  )

  app.put(
    "/capacity-constraint/:capacityConstraintId",
    {
      config: { permission: "edit/constraint" },
      schema: {
        tags: ["Capacity constraints"],
        operationId: "replaceCapacityConstraint",
        summary: "Replace the capacity constraints",
        params: Params,
        body: Body,
        response: { 200: ConstraintsResponse },
      },
    },
    async ({ sql, caller, params, body, ip }) => {
      const changed = await inTransaction(sql, async (tx) => {
        const before = await find(tx, caller, params.capacityConstraintId)
        if (!before) throw capacityErrors.notFound()
        checkNames(body.capacityConstraint)
        const [after] = await tx<Row[]>`
          update capacity_constraints set capacity_constraint = ${json(tx, body.capacityConstraint)},
            name = ${body.name === undefined ? before.name : body.name}, updated_time = now()
          where organization_id = ${caller.organizationId} and id = ${before.id} returning *`
        if (!after) throw capacityErrors.notFound()
        await note(tx, caller, ip, "update", after, before)
        return after
      })
      return { status: true as const, data: toWire(changed) }
    },
  )

  app.delete(
    "/capacity-constraint/:capacityConstraintId",
    {
      config: { permission: "edit/constraint" },
      schema: {
        tags: ["Capacity constraints"],
        operationId: "deleteCapacityConstraint",
        summary: "Delete the capacity constraints; vehicles keep their capacities",
        params: Params,
        response: { 200: ConstraintsResponse },
      },
    },
    async ({ sql, caller, params, ip }) => {
      const removed = await inTransaction(sql, async (tx) => {
        const [row] = await tx<Row[]>`
          delete from capacity_constraints
          where organization_id = ${caller.organizationId} and id = ${params.capacityConstraintId.toLowerCase()} returning *`
        if (!row) throw capacityErrors.notFound()
        await note(tx, caller, ip, "delete", row)
        return row
      })
      return { status: true as const, data: { ...toWire(removed), isDeleted: true } }
    },
  )

  async function note(
    tx: Tx,
    caller: Caller,
    address: string,
    verb: string,
    row: Row,
    before?: Row,
  ): Promise<void> {
    await audit(tx, actorOf(caller, address), {
      action: `capacityConstraint.${verb}`,
      targetType: "capacityConstraint",
      targetId: row.id,
      before: before?.capacityConstraint,
      after: verb === "delete" ? undefined : row.capacityConstraint,
    })
    const { organizationId } = caller
    await publish(tx, app.live, "capacity-constraint.changed", {
      organizationId,
      content: { capacityConstraintId: row.id },
    })
  }
}

/** Names and units of what the organization's vehicles carry. */
export async function findCapacityConstraints(
  sql: Sql,
  caller: Caller,
): Promise<readonly { name: string; denominator: string }[]> {
  return (await find(sql, caller))?.capacityConstraint ?? []
}

async function find(sql: Sql, caller: Caller, id?: string): Promise<Row | undefined> {
  const rows = await sql<Row[]>`
    select * from capacity_constraints
    where organization_id = ${caller.organizationId} ${id === undefined ? sql`` : sql`and id = ${id.toLowerCase()}`}`
  return rows[0]
}

/** Undefined when the organization has its document already. */
async function insert(
  sql: Sql,
  caller: Caller,
  constraints: readonly Static<typeof Constraint>[],
  name?: string | null,
): Promise<Row | undefined> {
  const rows = await sql<Row[]>`
    insert into capacity_constraints (organization_id, id, name, capacity_constraint)
    values (${caller.organizationId}, ${newId()}, ${name ?? null}, ${json(sql, constraints)})
    on conflict (organization_id) do nothing returning *`
  return rows[0]
}

function checkNames(constraints: readonly { name: string }[]): void {
  if (new Set(constraints.map(({ name }) => name)).size < constraints.length)
    throw capacityErrors.doubleName()
}

function toWire(row: Row): Static<typeof ConstraintsSchema> {
  return {
    _id: row.id,
    name: row.name,
    capacityConstraint: row.capacityConstraint,
    organizationId: row.organizationId,
    isDeleted: false,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}
