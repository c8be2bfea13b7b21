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

/** The result of `openapi-fetch`. */
interface FetchResult<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * The response body of a call of `openapi-fetch`. Throws ApiError for an error response or when the server cannot
 * be reached. An aborted call rejects with AbortError.
 */
export async function responseOf<Data>(call: Promise<FetchResult<Data>>): Promise<NonNullable<Data>> {
  let result: FetchResult<Data>
  try {
    result = await call
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error
    throw new ApiError(0, { message: "" }, { cause: error })
  }
  if (!result.response.ok) throw new ApiError(result.response.status, result.error)
  return result.data as NonNullable<Data>
}
