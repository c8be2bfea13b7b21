import { Type } from "typebox"
import { type Caller, may } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { whileConnected } from "#core/http/limits/heavy-requests.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { roadSupplyOf } from "../../../location/roads/index.ts"
import { resultErrors } from "../errors.ts"
import { originOf } from "../plan/routing-routes.ts"
import { findResult } from "../queries.ts"
import { ResultSchema } from "../result-schemas.ts"
import { toWireResult } from "../results/wire.ts"
import { findCurrentConfiguration } from "../settings/configurations.ts"
import { acceptProposal, findProposal, isWithin, type Proposal, propose } from "./propose.ts"
import { ProposalSchema, ReplanBody } from "./replan-schemas.ts"

const Params = Type.Object({ resultId: IdSchema("result") })
const ProposalParams = Type.Object({ resultId: IdSchema("result"), proposalId: IdSchema("proposal") })

/** A plan during its day: what becomes of it after new orders, cancellations, breakdowns and delays. */
export function replanRoutes(app: App): void {
  const contextOf = (request: Parameters<typeof originOf>[0] & { caller: Caller }) => ({
    now: app.clock.now(),
    live: app.live,
    createdFrom: originOf(request),
    roads: roadSupplyOf(
      { config: app.settings, sql: app.sql, objects: app.objects },
      request.caller.organizationId,
    ),
  })

  app.post("/result/:resultId/replan", {
    config: { admission: "waiting", permission: "edit/result" },
    schema: {
      operationId: "replanResult",
      summary: "Propose a plan from now on, from where the vehicles are",
      description:
        "Finished and started stops stay, and so do goods on board and pinned visits. Other visits move only where that saves more than a change costs. Nothing changes until the proposal is accepted.",
      params: Params,
      body: ReplanBody,
      response: { 201: Type.Object({ status: Type.Literal(true), data: ProposalSchema }) },
    },
    async handler(request, reply) {
      const { sql, caller, params, body } = request
      const context = contextOf(request)
      const signal = whileConnected(reply)
      const proposal = await propose(sql, caller, params.resultId, body, { ...context, signal })
      const limits = await limitsOf(sql, caller, params.resultId, body.acceptWithin)
      const accepted =
        limits && isWithin(proposal.changes, limits)
          ? await inTransaction(sql, async (tx) => {
              await checkDispatch(tx, caller, params.resultId)
              const { resultId } = params
              const query = { resultId, proposalId: proposal.id, ifMatch: undefined, isByRule: true }
              return (await acceptProposal(tx, caller, query, context)).proposal
            })
          : proposal
      reply.code(201)
      return { status: true as const, data: toWire(accepted) }
    },
  })

  app.get("/result/:resultId/replan/:proposalId", {
    config: { permission: "view/result" },
    schema: {
      operationId: "getProposal",
      summary: "Get a proposal",
      params: ProposalParams,
      response: { 200: Type.Object({ status: Type.Literal(true), data: ProposalSchema }) },
    },
    async handler({ sql, caller, params }) {
      const row = await findResult(sql, caller, params.resultId)
      const proposal = row && (await findProposal(sql, caller, row.id, params.proposalId))
      if (!proposal) throw resultErrors.proposalNotFound()
      return { status: true as const, data: toWire(proposal) }
    },
  })

  app.post("/result/:resultId/replan/:proposalId/accept", {
    config: { permission: "edit/result" },
    schema: {
      operationId: "acceptProposal",
      summary: "Replace the plan by a proposal",
      description:
        "Once: repeating it returns the plan as it is. Refused with 409 after another change of the plan, and with 412 if If-Match names another currentVersion. A dispatched plan is dispatched again, which requires dispatch/result.",
      params: ProposalParams,
      response: {
        200: Type.Object({ status: Type.Literal(true), data: ResultSchema, proposal: ProposalSchema }),
      },
    },
    async handler(request) {
      const { sql, caller, params, headers } = request
      return inTransaction(sql, async (tx) => {
        await checkDispatch(tx, caller, params.resultId)
        const query = { ...params, ifMatch: headers["if-match"], isByRule: false }
        const { row, proposal } = await acceptProposal(tx, caller, query, contextOf(request))
        return { status: true as const, data: toWireResult(row), proposal: toWire(proposal) }
      })
    },
  })
}

/** The limits of the request, else those of the hub: its rule does nothing that the caller may not do. */
async function limitsOf(
  sql: Sql,
  caller: Caller,
  resultId: string,
  sent: ReplanBody["acceptWithin"],
): Promise<ReplanBody["acceptWithin"]> {
  if (sent !== undefined) return sent
  const row = await findResult(sql, caller, resultId)
  if (!row || (row.dispatchStatus && !may(caller, "dispatch/result"))) return null
  return (await findCurrentConfiguration(sql, caller, row.hubId))?.settings.acceptProposals
}

/** Changing a dispatched plan changes tasks. */
async function checkDispatch(sql: Sql, caller: Caller, resultId: string): Promise<void> {
  const row = await findResult(sql, caller, resultId)
  if (row?.dispatchStatus && !may(caller, "dispatch/result"))
    throw resultErrors.forbidden({ message: "Your role lacks the permission dispatch/result" })
}

function toWire({ id, resultId, status, changes, isAcceptedByRule, createdTime, acceptedTime }: Proposal) {
  return {
    ...{ _id: id, resultId, status, changes, isAcceptedByRule },
    createdTime: toT1(createdTime),
    acceptedTime: orNull(acceptedTime, toT1),
  }
}
