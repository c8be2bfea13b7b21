import createClient from "openapi-fetch"
import type { paths } from "./schema.d.ts"

/** The typed client of the server's API. The session travels in a cookie that no script can read. */
export const api = createClient<paths>({ baseUrl: "", credentials: "same-origin" })

/** A refusal of the server, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly failedCode: string | undefined
  readonly fields: Readonly<Record<string, readonly string[]>>

  constructor(status: number, body: unknown) {
    const envelope = (typeof body === "object" && body !== null ? body : {}) as {
      message?: unknown
      failedCode?: unknown
      errors?: unknown
    }
    super(typeof envelope.message === "string" ? envelope.message : `The server answered ${status}`)
    this.status = status
    this.failedCode = typeof envelope.failedCode === "string" ? envelope.failedCode : undefined
    this.fields = (envelope.errors ?? {}) as Record<string, string[]>
  }
}

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** What the server answered; throws ApiError for a refusal or when nothing could be reached. */
export async function answerOf<Data>(call: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  let answer: Answer<Data>
  try {
    answer = await call
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error
    throw new ApiError(0, { message: "" })
  }
  if (!answer.response.ok) throw new ApiError(answer.response.status, answer.error)
  return answer.data as NonNullable<Data>
}
