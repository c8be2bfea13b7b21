import type { FastifyRequest } from "fastify"
import type { App } from "#core/http/types.ts"
import { mapErrors } from "../errors.ts"
import { installationFolder } from "../files.ts"

const linkKey = (region: string) => `${installationFolder}/map-links/${region}`

const daySeconds = 86_400

/**
 * `expires=…&signature=…`: opens everything of one region for one to two days. It is the same for a whole day, so that
 * browsers find tiles in their cache.
 */
export function signedQuery(app: App, region: string): string {
  const now = app.clock.now()
  const left = daySeconds - (Math.floor(now.epochMilliseconds / 1000) % daySeconds)
  const address = app.links.sign(linkKey(region), now, left + daySeconds)
  return address.slice(address.indexOf("?") + 1)
}

/** A console session, a bearer token or a signed address. */
export async function checkMapReader(app: App, request: FastifyRequest, region: string): Promise<void> {
  const query = request.query as { expires?: string; signature?: string }
  if (query.signature !== undefined && app.links.verify(linkKey(region), query, app.clock.now())) return
  if (!(await app.identify(request))) throw mapErrors.unauthenticated()
}
