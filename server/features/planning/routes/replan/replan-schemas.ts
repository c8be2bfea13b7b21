import { type Static, Type } from "typebox"
import { ProposalLimits } from "../settings/settings.ts"
import { ProposalChanges } from "./proposal-changes.ts"

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 2000, description }))
const vehicleId = Type.String({ minLength: 1, maxLength: 255 })

export const ReplanBody = Type.Object(
  {
    visits: Type.Optional(
      Type.Array(Type.Unsafe<unknown>(Type.Unknown()), {
        maxItems: 500,
        description: "New orders, in the form of `POST /routing`",
      }),
    ),
    cancelledVisitIds: ids("Visits that are no longer made"),
    pinnedVisitIds: ids("Visits that stay on their vehicle"),
    brokenVehicleIds: ids("Vehicles that stop now; their remaining visits go to others"),
    goingHome: Type.Optional(
      Type.Array(
        Type.Object({
          vehicleId,
          by: Type.Optional(
            Type.String({ description: "HH:mm, when the vehicle has to be back; now unless given" }),
          ),
        }),
        { maxItems: 300, description: "Workers who end early" },
      ),
    ),
    delays: Type.Optional(
      Type.Array(Type.Object({ vehicleId, minutes: Type.Integer({ minimum: 0, maximum: 1440 }) }), {
        maxItems: 300,
        description: "Vehicles that can go on later than now",
      }),
    ),
    acceptWithin: Type.Optional(
      Type.Union([ProposalLimits, Type.Null()], {
        description:
          "Accepts the proposal at once if it is within these limits (absent ones are 0). Requires edit/result, and dispatch/result for a dispatched plan. Default: acceptProposals of the hub's planning profile; null: a person decides",
      }),
    ),
  },
  { title: "ReplanInput" },
)
export type ReplanBody = Static<typeof ReplanBody>

export const ProposalSchema = Type.Object(
  {
    _id: Type.String(),
    resultId: Type.String(),
    status: Type.String({ description: "open or accepted" }),
    changes: ProposalChanges,
    isAcceptedByRule: Type.Boolean({ description: "Accepted at once, because it is within the limits" }),
    createdTime: Type.String(),
    acceptedTime: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "PlanProposal" },
)
