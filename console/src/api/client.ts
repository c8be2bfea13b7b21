import createClient from "openapi-fetch"
import { retryingFetch } from "../../../clients/typescript/src/retry.ts"
import type { paths } from "../../../clients/typescript/src/schema.ts"

export { ApiError, answerOf } from "../../../clients/typescript/src/api-error.ts"

/** Somebody waits before the screen: a busy server is asked again twice, for seconds. */
const patience = { retries: 2, maxWaitSeconds: 5 }

/** The typed client of the server's API. The session travels in a cookie that no script can read. */
export const api = createClient<paths>({
  baseUrl: "",
  credentials: "same-origin",
  fetch: retryingFetch(patience),
})
