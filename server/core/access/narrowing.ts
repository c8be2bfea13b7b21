import type { FastifyRequest } from "fastify"
import type { AppError } from "../errors.ts"
import type { AccessDeclaration } from "./access.ts"
import { type Caller, narrowedCaller } from "./caller.ts"

/** Calls that a client makes on behalf of something with fewer permissions, as the console does for plugins. */
export interface Narrowing {
  /** The header that names for whom the call is made. */
  header: string
  /** The permissions that it was granted in the caller's organization; undefined: nothing by this name runs. */
  grantedTo(caller: Caller, name: string): Promise<readonly string[] | undefined>
  /** Its refusals. */
  refusal(message: string): AppError
}

/** What the call is made for, by its header; undefined for the usual call. */
export function narrowedTo(request: FastifyRequest, narrowing: Narrowing | undefined): string | undefined {
  const name = narrowing && request.headers[narrowing.header]
  return typeof name === "string" ? name : undefined
}

/**
 * The caller with the permissions that both the caller and the named one have. It may only read, and only what a
 * permission stands for: what every signed-in person may read (their own account, settings) was granted by nobody.
 */
export async function narrow(
  request: FastifyRequest,
  caller: Caller,
  { narrowing, name }: { narrowing: Narrowing; name: string },
): Promise<Caller> {
  const granted = await narrowing.grantedTo(caller, name)
  if (!granted) throw narrowing.refusal("The plugin is not active in this organization")
  if (request.method !== "GET" && request.method !== "HEAD")
    throw narrowing.refusal("Plugins can only read data")
  const declared = request.routeOptions.config as AccessDeclaration
  if (!request.is404 && !declared.permission && !declared.anyOf)
    throw narrowing.refusal("Plugins can only call addresses that require a permission")
  return narrowedCaller(caller, granted)
}
