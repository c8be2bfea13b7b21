import { ApiError } from "./api-error.ts"
import type {
  Arguments,
  Input,
  Operation,
  PagedOperation,
  ResponseBody,
  Row,
  UploadInput,
  UploadOperation,
} from "./operation-types.ts"
import { operationPaths } from "./operations.ts"
import { eachQuery, type ListPage, nextPageQuery, pageIn } from "./pages.ts"
import { type RetryOptions, retryingFetch } from "./retry.ts"
import { formOf, type UploadForm } from "./upload.ts"

export interface FieldwayOptions extends RetryOptions {
  /** Where the server is, without a path: `https://fieldway.example`. */
  url: string
  /** A personal access token or a session's. Without it, call `signIn`. */
  token?: string
  /** Headers of every call. */
  headers?: Readonly<Record<string, string>>
}

/** Every call of the API under its operation's name; a refusal is thrown as ApiError. */
type Calls = {
  [Name in Operation]: (...input: Arguments<Name>) => Promise<ResponseBody<Name>>
}

export interface Fieldway {
  api: Calls
  /** Signs in and keeps the session's token for the calls that follow. Refused when a code is asked for. */
  signIn(email: string, password: string): Promise<ResponseBody<"login">>
  /** The token that is sent, for storing it. */
  token(): string | undefined
  /** The pages of a list, one call each. `limit` in the query says how long a page is. */
  pages<Name extends PagedOperation>(
    name: Name,
    ...input: Arguments<Name>
  ): AsyncGenerator<ListPage<Row<Name>>, void, undefined>
  /** The rows of a list, page by page; tasks and records by a cursor, so that rows may come and go meanwhile. */
  each<Name extends PagedOperation>(
    name: Name,
    ...input: Arguments<Name>
  ): AsyncGenerator<Row<Name>, void, undefined>
  /** Sends a multipart form: imports, photos, plugins. */
  upload<Name extends UploadOperation>(name: Name, form: UploadInput<Name>): Promise<ResponseBody<Name>>
  /** Reads a file that a response names: a whole address, or a path of this server. */
  download(address: string, options?: { signal?: AbortSignal }): Promise<Response>
}

interface LooseInput {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A client of one server, in the name of one person or token. */
export function createFieldway(options: FieldwayOptions): Fieldway {
  const send = retryingFetch(options)
  let base = options.url
  while (base.endsWith("/")) base = base.slice(0, -1)
  let { token } = options

  const request = async (address: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(options.headers)
    // Signed addresses of files elsewhere must not learn the token.
    if (token !== undefined && new URL(address).origin === new URL(base).origin)
      headers.set("authorization", `Bearer ${token}`)
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    let response: Response
    try {
      response = await send(address, { ...init, headers })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw new ApiError(0, { message: `${base} cannot be reached` }, { cause: error })
    }
    if (!response.ok) throw new ApiError(response.status, await readBody(response))
    return response
  }

  const call = async (name: Operation, input: LooseInput = {}, form?: FormData): Promise<unknown> => {
    const [method, template] = operationPaths[name]
    const address = `${base}${fillPath(template, input.path)}${queryText(input.query)}`
    const headers: Record<string, string> = { accept: "application/json", ...input.headers }
    const init: RequestInit = { method, headers }
    if (input.signal) init.signal = input.signal
    if (form) init.body = form
    else if (input.body !== undefined) {
      headers["content-type"] = "application/json"
      init.body = JSON.stringify(input.body)
    }
    // The server returns the first response for a repeated key, so a lost response does no harm.
    if (method === "POST" && !form) headers["idempotency-key"] ??= crypto.randomUUID()
    return readBody(await request(address, init))
  }

  const api = {} as Calls
  const define = <Name extends Operation>(name: Name) => {
    api[name] = ((input?: LooseInput) => call(name, input)) as Calls[Name]
  }
  for (const name of Object.keys(operationPaths) as Operation[]) define(name)

  async function* pages<Name extends PagedOperation>(name: Name, ...[input]: Arguments<Name>) {
    const given = (input ?? {}) as LooseInput
    let query = given.query
    do {
      const found = pageIn<Row<Name>>(await call(name, { ...given, ...(query && { query }) }))
      yield found
      query = nextPageQuery(found, query ?? {})
    } while (query)
  }

  return {
    api,
    token: () => token,
    async signIn(email, password) {
      const session = await api.login({ body: { email, password } } as Input<"login">)
      if (!("token" in session) || typeof session.token !== "string")
        throw new ApiError(401, { message: "This account requires a one-time code. Use a personal token" })
      token = session.token
      return session
    },
    pages,
    async *each(name, ...[input]) {
      const given = (input ?? {}) as LooseInput
      const byCursor = { ...given, query: eachQuery(name, given.query) } as typeof input
      for await (const { rows } of pages(name, ...([byCursor] as Arguments<typeof name>))) yield* rows
    },
    async upload(name, input) {
      const form = input as UploadForm
      const { path, query, signal } = form
      const rest: LooseInput = { ...(path && { path }), ...(query && { query }), ...(signal && { signal }) }
      return (await call(name, rest, formOf(form))) as ResponseBody<typeof name>
    },
    download: (address, { signal } = {}) =>
      request(new URL(address, `${base}/`).href, signal ? { signal } : {}),
  }
}

function fillPath(template: string, parameters: Record<string, unknown> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = parameters[name]
    if (value === undefined || value === null || value === "") throw new TypeError(`path.${name} is missing`)
    return encodeURIComponent(String(value))
  })
}

function queryText(query: Record<string, unknown> = {}): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const each of Array.isArray(value) ? value : [value]) text.append(name, String(each))
  }
  return text.size > 0 ? `?${text}` : ""
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
