/** A refusal of the server, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number
  /** `<module>-<three digits>`: what to branch on; the message is for people and may change. */
  readonly failedCode: string | undefined
  /** What is wrong with which field of the request. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly body: unknown

  constructor(status: number, body: unknown, options?: { cause?: unknown }) {
    const envelope = (typeof body === "object" && body !== null ? body : {}) as {
      message?: unknown
      failedCode?: unknown
      errors?: unknown
    }
    super(
      typeof envelope.message === "string" ? envelope.message : `The server returned status ${status}`,
      options,
    )
    this.name = "ApiError"
    this.status = status
    this.failedCode = typeof envelope.failedCode === "string" ? envelope.failedCode : undefined
    this.fields = (envelope.errors ?? {}) as Record<string, string[]>
    this.body = body
  }
}

/** What `openapi-fetch` answers. */
interface FetchAnswer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * What the server answered to a call of `openapi-fetch`; throws ApiError for a refusal or when nothing could
 * be reached. A call that its caller gave up stays an AbortError.
 */
export async function answerOf<Data>(call: Promise<FetchAnswer<Data>>): Promise<NonNullable<Data>> {
  let answer: FetchAnswer<Data>
  try {
    answer = await call
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error
    throw new ApiError(0, { message: "" }, { cause: error })
  }
  if (!answer.response.ok) throw new ApiError(answer.response.status, answer.error)
  return answer.data as NonNullable<Data>
}
