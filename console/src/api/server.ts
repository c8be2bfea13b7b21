import { type QueryKey, queryOptions, type UseQueryOptions } from "@tanstack/react-query"
import type { ClientPathsWithMethod, MethodResponse } from "openapi-fetch"
import type { operations, paths } from "../../../packages/api-client/src/schema.ts"
import { api, responseOf } from "./client.ts"

type Method = "get" | "post" | "put" | "patch" | "delete"
type Path<M extends Method> = ClientPathsWithMethod<typeof api, M>
type Operation<M extends Method, P> = P extends keyof paths ? paths[P][M & keyof paths[P]] : never

type PathParameters<O> = O extends { parameters: { path: infer Values extends object } } ? Values : unknown
type QueryParameters<O> = O extends { parameters: { query: infer Query extends object } }
  ? { query: Query }
  : O extends { parameters: { query?: infer Query extends object | undefined } }
    ? { query?: Query }
    : unknown
type JsonBody<O> = O extends { requestBody: { content: { "application/json": infer Body } } }
  ? { body: Body }
  : O extends { requestBody?: { content: { "application/json": infer Body } } }
    ? { body?: Body }
    : unknown

/** The path parameters by their names, next to `query`, `body`, `headers` and `signal`. */
type Input<M extends Method, P> = PathParameters<Operation<M, P>> &
  QueryParameters<Operation<M, P>> &
  JsonBody<Operation<M, P>> & { headers?: Record<string, string>; signal?: AbortSignal }
type InputArguments<M extends Method, P> =
  Record<never, never> extends Input<M, P> ? [input?: Input<M, P>] : [input: Input<M, P>]
type Output<M extends Method, P extends Path<M>> = NonNullable<MethodResponse<typeof api, M, P>>

export type RequestBody<Name extends keyof operations> =
  JsonBody<operations[Name]> extends { body?: infer Body } ? NonNullable<Body> : never
export type ResponseBody<Name extends keyof operations> = operations[Name] extends {
  responses: { 200: { content: { "application/json": infer Body } } }
}
  ? Body
  : never

function method<M extends Method>(name: M) {
  return <P extends Path<M>>(path: P, ...[input]: InputArguments<M, P>): Promise<Output<M, P>> => {
    const { query, body, headers, signal, ...parameters } = (input ?? {}) as Record<string, unknown>
    const params = { path: parameters, query }
    // The parameters above check the call; the client's own types want them nested.
    const send = api.request as (...call: unknown[]) => Promise<{ data?: Output<M, P>; response: Response }>
    const options = { params, ...(body === undefined ? {} : { body }), headers, signal }
    return responseOf(send(name, path, options)) as Promise<Output<M, P>>
  }
}

/**
 * Calls of the server's API, checked against its description: `server.put("/api/v3/hub/{hubId}", { hubId, body })`.
 * Each resolves with the response body and throws ApiError for an error response.
 */
export const server = {
  get: method("get"),
  post: method("post"),
  put: method("put"),
  patch: method("patch"),
  delete: method("delete"),
}

/** What most responses carry: `{ status: true, data }`. */
export async function dataOf<Data>(response: Promise<{ data: Data }>): Promise<Data> {
  return (await response).data
}

type DataOf<P extends Path<"get">> = Output<"get", P> extends { data: infer Data } ? Data : never

/** A query for the `data` of one endpoint; `options` as for useQuery. */
export function dataQuery<P extends Path<"get">>(
  queryKey: QueryKey,
  path: P,
  input: Omit<Input<"get", P>, "signal"> = {} as Input<"get", P>,
  options: Omit<UseQueryOptions<DataOf<P>>, "queryKey" | "queryFn"> = {},
) {
  const get = server.get as (path: P, input: object) => Promise<{ data: DataOf<P> }>
  return queryOptions({
    ...options,
    queryKey,
    queryFn: ({ signal }) => dataOf(get(path, { ...input, signal })),
  })
}
