import { type Static, Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { resultErrors, routeErrors } from "../errors.ts"
import { sendPlan } from "../jobs.ts"
import type { RunInput } from "../plan/run-input.ts"
import type { RunRequest } from "../plan/start-run.ts"
import { findInput, findResult, insertResult, type ResultRow } from "../queries.ts"

export const WhatIfBody = Type.Object({
  withoutVehicleIds: Type.Array(Type.String({ minLength: 1 }), {
    maxItems: 500,
    description:
      "Ids of vehicles of the plan. None: what the day would have taken if every order had been known from the start",
  }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})

/** Plans the visits of a result again without some of its vehicles, as a result of its own. */
export async function startWhatIf(
  { app, sql, caller, createdFrom }: Omit<RunRequest, "log" | "isInTransaction">,
  resultId: string,
  { withoutVehicleIds, name }: Static<typeof WhatIfBody>,
): Promise<ResultRow | undefined> {
  const now = app.clock.now()
  const id = newId<"result">(now.epochMilliseconds)
  await inTransaction(sql, async (tx) => {
    const base = await findResult(tx, caller, resultId)
    if (!base) throw routeErrors.notFound()
    const input = await findInput(tx, caller.organizationId, base.id)
    if (!input) throw resultErrors.noPlan()
    const vehicles = input.vehicles.filter((vehicle) => !withoutVehicleIds.includes(vehicle.id))
    const known = new Set(input.vehicles.map((vehicle) => vehicle.id))
    const problem = withoutVehicleIds.some((vehicleId) => !known.has(vehicleId))
      ? "names a vehicle that is not of this plan"
      : vehicles.length === 0
        ? "leaves no vehicle"
        : undefined
    if (problem)
      throw routeErrors.badInput({
        message: `withoutVehicleIds ${problem}`,
        fields: { withoutVehicleIds: [problem] },
      })
    const left = input.vehicles.filter((vehicle) => withoutVehicleIds.includes(vehicle.id))
    await insertResult(
      tx,
      caller,
      {
        ...base,
        id,
        name: name ?? nameOf(base.name, left),
        resultCode: String(now.epochMilliseconds),
        input: { ...input, vehicles, basedOn: base.id },
        createdFrom,
      },
      now,
    )
    await sendPlan(tx, caller.organizationId, id)
    await publish(tx, app.live, "routing.changed", {
      organizationId: caller.organizationId,
      hubId: base.hubId,
      content: { resultIds: [id] },
    })
  })
  return findResult(sql, caller, id)
}

function nameOf(base: string, without: RunInput["vehicles"]): string {
  const names = without.map(({ name }) => name).join(", ")
  return (names === "" ? base : `${base} − ${names}`).slice(0, 200)
}
