import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT2 } from "#shared/wire-time.ts"
import {
  type ConstraintsRow,
  findConstraints,
  insertConstraints,
  removeConstraints,
  updateConstraints,
} from "./queries.ts"

export const capacityErrors = defineErrors("capac", {
  notFound: [404, "033", "data not found"],
  exists: [400, "031", "The organization already has capacity constraints. Update those"],
  doubleName: [400, "002", "Two capacity constraints have the same name. Rename one of them"],
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

/** What vehicles can carry: names and units, one document for the whole organization. */
export function capacityConstraintRoutes(app: App): void {
  app.get("/capacity-constraints", {
    config: { permission: "view/configuration" },
    schema: {
      operationId: "listCapacityConstraints",
      summary: "List the organization's capacity constraints as at most one document",
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(ConstraintsSchema) }) },
    },
    async handler({ sql, caller }) {
      const found = await findConstraints(sql, caller)
      return { status: true as const, data: found ? [toWire(found)] : [] }
    },
  })

  app.get("/capacity-constraint", {
    config: { permission: "view/configuration" },
    schema: {
      operationId: "getOwnCapacityConstraint",
      summary: "Get the organization's capacity constraints; 404 until they are defined",
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ConstraintsSchema }),
      },
    },
    async handler({ sql, caller }) {
      const found = await findConstraints(sql, caller)
      if (!found) throw capacityErrors.notFound()
      return { status: true as const, message: "Success", data: toWire(found) }
    },
  })

  app.get("/capacity-constraint/:capacityConstraintId", {
    config: { permission: "view/configuration" },
    schema: {
      operationId: "getCapacityConstraint",
      summary: "Get the capacity constraints by id",
      params: Params,
      response: { 200: ConstraintsResponse },
    },
    async handler({ sql, caller, params }) {
      const found = await findConstraints(sql, caller, params.capacityConstraintId)
      if (!found) throw capacityErrors.notFound()
      return { status: true as const, data: toWire(found) }
    },
  })

  app.post("/capacity-constraint", {
    config: { permission: "edit/constraint" },
    schema: {
      operationId: "createCapacityConstraint",
      summary: "Create the organization's capacity constraints",
      body: Body,
      response: { 200: ConstraintsResponse },
    },
    async handler({ sql, caller, body, ip }) {
      checkNames(body.capacityConstraint)
      const made = await inTransaction(sql, async (tx) => {
        const row = await insertConstraints(tx, caller, body.capacityConstraint, body.name)
        if (!row) throw capacityErrors.exists()
        await note(tx, caller, ip, "create", row)
        return row
      })
      return { status: true as const, data: toWire(made) }
    },
  })

  app.put("/capacity-constraint/:capacityConstraintId", {
    config: { permission: "edit/constraint" },
    schema: {
      operationId: "replaceCapacityConstraint",
      summary: "Replace the capacity constraints",
      params: Params,
      body: Body,
      response: { 200: ConstraintsResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const changed = await inTransaction(sql, async (tx) => {
        const before = await findConstraints(tx, caller, params.capacityConstraintId)
        if (!before) throw capacityErrors.notFound()
        checkNames(body.capacityConstraint)
        const name = body.name === undefined ? before.name : body.name
        const after = await updateConstraints(tx, before, body.capacityConstraint, name)
        if (!after) throw capacityErrors.notFound()
        await note(tx, caller, ip, "update", after, before)
        return after
      })
      return { status: true as const, data: toWire(changed) }
    },
  })

  app.delete("/capacity-constraint/:capacityConstraintId", {
    config: { permission: "edit/constraint" },
    schema: {
      operationId: "deleteCapacityConstraint",
      summary: "Delete the capacity constraints; vehicles keep their capacities",
      params: Params,
      response: { 200: ConstraintsResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const removed = await inTransaction(sql, async (tx) => {
        const row = await removeConstraints(tx, caller, params.capacityConstraintId)
        if (!row) throw capacityErrors.notFound()
        await note(tx, caller, ip, "delete", row)
        return row
      })
      return { status: true as const, data: { ...toWire(removed), isDeleted: true } }
    },
  })

  async function note(
    tx: Tx,
    caller: Caller,
    address: string,
    verb: string,
    row: ConstraintsRow,
    before?: ConstraintsRow,
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

function checkNames(constraints: readonly { name: string }[]): void {
  if (new Set(constraints.map(({ name }) => name)).size < constraints.length)
    throw capacityErrors.doubleName()
}

function toWire(row: ConstraintsRow): Static<typeof ConstraintsSchema> {
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
