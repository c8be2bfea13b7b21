import { type Static, Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { toT1 } from "#shared/wire-time.ts"
import { type DecisionRow, insertDecision, latestDecision } from "./queries.ts"

const ConsentResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object(
    {
      isGiven: Type.Boolean(),
      decidedTime: Type.Union([Type.String(), Type.Null()], { description: "null: not decided yet" }),
    },
    { title: "PositionConsent" },
  ),
})

/** Whether a person agrees that the field app records their positions. */
export function consentRoutes(app: App): void {
  const response = (row: DecisionRow | undefined): Static<typeof ConsentResponse> => ({
    status: true,
    message: "Success",
    data: { isGiven: row?.isGiven ?? false, decidedTime: row ? toT1(row.decidedTime) : null },
  })

  app.get("/position-consent", {
    config: { permission: "do/task" },
    schema: {
      operationId: "getPositionConsent",
      summary: "Get what the caller decided about the recording of their positions",
      response: { 200: ConsentResponse },
    },
    handler: async ({ sql, caller }) => response(await latestDecision(sql, caller)),
  })

  app.put("/position-consent", {
    config: { permission: "do/task" },
    schema: {
      operationId: "setPositionConsent",
      summary: "Agree to the recording of the caller's positions, or withdraw the consent",
      description:
        "Asked by the field app where the organization's `positionConsent` is on. Every decision is kept.",
      body: Type.Object({ isGiven: Type.Boolean() }, { title: "PositionConsentInput" }),
      response: { 200: ConsentResponse },
    },
    async handler({ sql, caller, body }) {
      await insertDecision(sql, caller, body.isGiven, app.clock.now())
      return response(await latestDecision(sql, caller))
    },
  })
}
