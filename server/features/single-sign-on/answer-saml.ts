import { inTransaction, type Pool } from "#core/database.ts"
import type { Log } from "#core/log.ts"
import type { Objects } from "#core/objects/objects.ts"
import { findProvider, type IntegrationRow, listDirectoriesOf } from "../app-integrations/index.ts"
import { type Entered, enter } from "./enter.ts"
import { peekResponse } from "./peek-response.ts"
import { SignInRefused } from "./refusal.ts"
import { findRequest, takeRequest, useAssertion } from "./requests.ts"
import { type Asserted, readResponse } from "./saml.ts"

interface Outside {
  sql: Pool
  objects: Objects
  publicUrl: string
  log: Pick<Log, "warn">
}

/**
 * Takes the answer of a directory, to a request of ours or unasked from its own launcher. All directories
 * post to one address: which one this is from is what its signature says, tried with the directory that was
 * asked, else with those of the organizations of the person who is named.
 */
export async function answerSaml(
  outside: Outside,
  samlResponse: string,
  address: string,
): Promise<{ entered: Entered; returnTo: string }> {
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
  return inTransaction(sql, async (tx) => {
    const request =
      asserted.inResponseTo === undefined ? undefined : await takeRequest(tx, asserted.inResponseTo)
    // An assertion that answers a request is worth nothing without it, nor for another directory.
    const isAsked = request?.appIntegrationId === integration.id
    if (asserted.inResponseTo !== undefined && !isAsked) throw new SignInRefused("expired")
    if (!(await useAssertion(tx, integration.organizationId, asserted.assertionId)))
      throw new SignInRefused("expired", "the assertion was used before")
    const entered = await enter(tx, integration, asserted.email, address)
    return { entered, returnTo: request?.returnTo ?? "/" }
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
