import { inTransaction, type Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import { findProvider, type IntegrationRow, listDirectoriesOf } from "../app-integrations/index.ts"
import { peekResponse } from "./peek-response.ts"
import { SignInRefused } from "./refusal.ts"
import { acceptRequest, findRequest, useAssertion } from "./requests.ts"
import { type Asserted, isRequestId, readResponse } from "./saml.ts"

interface Outside {
  sql: Pool
  objects: Objects
  publicUrl: string
  log: Pick<Log, "warn">
}

/** The browser fetches what it began with a ticket, or has to begin: the directory spoke first. */
export type SamlOutcome = { ticket: string } | { begin: IntegrationRow }

/**
 * Takes the response of a directory. All directories post to one address: which one this is from is what its
 * signature says, tried with the directory that was asked, else with those of the organizations of the person who
 * is named. The post itself signs nobody in, since any site can make any browser send it: a response to a
 * request of ours waits for the browser that began it, and one that nobody asked for, from the directory's own
 * launcher, only begins a sign-in of this browser there.
 */
export async function acceptSamlResponse(
  outside: Outside,
  samlResponse: string,
  relayState: string | undefined,
): Promise<SamlOutcome> {
  const { sql } = outside
  const claimed = peekResponse(samlResponse)
  const asked = claimed.inResponseTo === undefined ? undefined : await findRequest(sql, claimed.inResponseTo)
  if (claimed.inResponseTo !== undefined && !asked) throw new SignInRefused("expired")
  const candidates = asked
    ? [await findProvider(sql, asked.appIntegrationId)]
    : (await Promise.all(claimed.emails.map((email) => listDirectoriesOf(sql, email)))).flat()
  const verified = await verify(
    outside,
    samlResponse,
    candidates.filter((candidate) => candidate !== undefined),
  )
  const { asserted, integration } = verified
  // What goes with a request comes back with its response: a request of ours is never answered as if unasked.
  const relayed = relayState !== undefined && isRequestId(relayState) ? relayState : undefined
  if (relayed !== undefined && relayed !== asserted.inResponseTo)
    throw new SignInRefused("failed", "the relay state is not that of the request")
  const { inResponseTo } = asserted
  if (inResponseTo === undefined) return { begin: integration }
  return inTransaction(sql, async (tx) => {
    if (!(await useAssertion(tx, integration.organizationId, asserted.assertionId)))
      throw new SignInRefused("expired", "the assertion was used before")
    const request = { id: inResponseTo, appIntegrationId: integration.id }
    const ticket = await acceptRequest(tx, request, asserted.vouched)
    if (ticket === undefined) throw new SignInRefused("expired", "the request was answered before")
    return { ticket }
  })
}

async function verify(
  outside: Outside,
  samlResponse: string,
  candidates: readonly IntegrationRow[],
): Promise<{ asserted: Asserted; integration: IntegrationRow }> {
  let last: unknown
  for (const integration of candidates) {
    try {
      return { asserted: await readResponse(samlResponse, integration, outside), integration }
    } catch (error) {
      last = error
      const { organizationId, id } = integration
      const reason = error instanceof Error ? error.message : String(error)
      outside.log.warn({ organizationId, integrationId: id, reason }, "assertion refused")
    }
  }
  if (last instanceof SignInRefused) throw last
  throw new SignInRefused("failed", "no directory of this person's organizations signed it", last)
}
