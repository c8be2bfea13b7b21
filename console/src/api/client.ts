import createClient from "openapi-fetch"
import { retryingFetch } from "../../../packages/api-client/src/retry.ts"
import type { paths } from "../../../packages/api-client/src/schema.ts"
import { noteResponse } from "./recent-actions.ts"

export { ApiError, responseOf } from "../../../packages/api-client/src/api-error.ts"

/** A person is waiting: retry a busy server twice, within seconds. */
const patience = { retries: 2, maxWaitSeconds: 5 }

/** The session travels in a cookie that no script can read. */
const toServer = { baseUrl: "", credentials: "same-origin" } as const

/** The typed client of the server's API. */
export const api = createClient<paths>({ ...toServer, fetch: retryingFetch(patience) })

/** Headers of what waited on a shared phone: it is refused with 412 where somebody else is signed in by then. */
export function sentBy(userId: string): Record<string, string> {
  return { "x-fieldway-user": userId }
}

/** Without retries, for callers that have other data to show when the server does not respond. */
export const impatientApi = createClient<paths>(toServer)

api.use({ onResponse: ({ request, response }) => noteResponse(request, response) })
