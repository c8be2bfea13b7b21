import { type Static, Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { toT1 } from "#shared/wire-time.ts"
import {
  drivenClasses,
  hoursOfWeek,
  isEnough,
  slownessOf,
  speedShare,
} from "../../../../../packages/road-network/index.ts"
import { deleteSpeeds, invalidateSpeeds, type RoadSpeeds, readSpeeds, switchSpeeds } from "./speed-store.ts"

const SpeedsSchema = Type.Object(
  {
    isUsed: Type.Boolean({ description: "Whether travel times use these speeds" }),
    isEnough: Type.Boolean({ description: "False: too little was driven, and the usual speeds are used" }),
    learnedTime: Type.Union([Type.String(), Type.Null()]),
    stretches: Type.Integer({ description: "Parts of drives of some hundred metres each. Older ones fade" }),
    classes: Type.Array(
      Type.Object({
        roadClass: Type.String({ description: "Value of `highway` in OpenStreetMap" }),
        stretches: Type.Integer(),
        hours: Type.Number({ description: "Hours of driving" }),
        shares: Type.Array(Type.Number(), {
          description:
            "Speed as a share of the usual one in each of the 168 hours of a week, which begins on Monday at midnight in the organization's time zone",
        }),
      }),
      { description: "Classes of roads on which somebody drove" },
    ),
  },
  { title: "RoadSpeeds" },
)
const Response = Type.Object({ status: Type.Literal(true), message: Type.String(), data: SpeedsSchema })

/** Speeds that were learned from an organization's own drives. */
export function speedRoutes(app: App): void {
  app.get("/road-speeds", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "getRoadSpeeds",
      summary: "Get the organization's learned speeds, by class of road and hour of the week",
      description:
        "Learned each night from recorded positions. They correct the times of routes, tables, plans and arrival estimates.",
      response: { 200: Response },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      message: "Success",
      data: toWire(await readSpeeds(sql, caller.organizationId)),
    }),
  })

  app.put("/road-speeds", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateRoadSpeeds",
      summary: "Use the organization's own speeds, or the usual ones",
      body: Type.Object({ isUsed: Type.Boolean() }, { title: "RoadSpeedsInput" }),
      response: { 200: Response },
    },
    async handler({ sql, caller, body }) {
      const speeds = await inTransaction(sql, async (tx) => {
        await switchSpeeds(tx, caller.organizationId, body.isUsed)
        return readSpeeds(tx, caller.organizationId)
      })
      invalidateSpeeds(app.sql, caller.organizationId)
      return { status: true as const, message: "Speeds have been updated", data: toWire(speeds) }
    },
  })

  app.delete("/road-speeds", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteRoadSpeeds",
      summary: "Delete the learned speeds, and begin again with new positions",
      response: { 200: Response },
    },
    async handler({ sql, caller, ip }) {
      const speeds = await inTransaction(sql, async (tx) => {
        await deleteSpeeds(tx, caller.organizationId, app.clock.now())
        await audit(tx, actorOf(caller, ip), {
          action: "road-speeds.delete",
          targetType: "organization",
          targetId: caller.organizationId,
        })
        return readSpeeds(tx, caller.organizationId)
      })
      invalidateSpeeds(app.sql, caller.organizationId)
      return { status: true as const, message: "Speeds have been deleted", data: toWire(speeds) }
    },
  })
}

function toWire({ isUsed, history, learnedAt }: RoadSpeeds): Static<typeof SpeedsSchema> {
  const slowness = slownessOf(history)
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)
  const ofClass = (values: Float64Array, index: number) =>
    sumOf(values.subarray(index * hoursOfWeek, (index + 1) * hoursOfWeek))
  return {
    isUsed,
    isEnough: isEnough(history),
    learnedTime: learnedAt && toT1(learnedAt),
    stretches: Math.round(sumOf(history.count)),
    classes: drivenClasses.flatMap((roadClass, index) => {
      const stretches = Math.round(ofClass(history.count, index))
      if (stretches === 0) return []
      const hours = Math.round(ofClass(history.driven, index) / 36) / 100
      const shares = Array.from(
        { length: hoursOfWeek },
        (_, hour) => Math.round(speedShare(slowness, index, hour) * 100) / 100,
      )
      return { roadClass, stretches, hours, shares }
    }),
  }
}
