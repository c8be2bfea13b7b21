import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { "application/json": infer Body } } }
}
  ? Body
  : never

export type Result = Answer<"getResult">["data"]
export type VehicleRoute = NonNullable<Result["result"]>["routing"][number]
export type RouteNode = VehicleRoute["trips"][number]
export type Dropped = NonNullable<Result["result"]>["dropped"][number]
export type Help = NonNullable<Dropped["help"]>[number]
export type Violation = Answer<"moveVisits">["violations"][number]
export type TaskVisit = Answer<"listVisitsOfTasks">["data"][number]

const listed = "name,routingDate,status,message,summary,dispatchStatus,progress,createdTime,hubId"
const maxListed = 200

export function resultsQuery(options: { hub?: string | undefined; s?: string | undefined }) {
  const query = {
    limit: maxListed,
    fields: listed,
    ...(options.hub ? { hubId: options.hub } : {}),
    ...(options.s ? { s: options.s } : {}),
  }
  return queryOptions({
    queryKey: ["routing-results", query],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET("/api/v3/results", { params: { query }, signal }))).data,
  })
}

export function resultQuery(resultId: string) {
  return queryOptions({
    queryKey: ["routing-result", resultId],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET("/api/v3/result/{resultId}", { params: { path: { resultId } }, signal })))
        .data,
  })
}

export function historyQuery(resultId: string) {
  return queryOptions({
    queryKey: ["routing-result", resultId, "history"],
    queryFn: async ({ signal }) =>
      (
        await responseOf(
          api.GET("/api/v3/result/{resultId}/history", { params: { path: { resultId } }, signal }),
        )
      ).data,
  })
}

export type Version = Answer<"getResultVersion">["data"]

export function versionQuery(resultId: string, version: number) {
  return queryOptions({
    queryKey: ["routing-result", resultId, "version", version],
    queryFn: async ({ signal }) => {
      const params = { path: { resultId, version } }
      return (await responseOf(api.GET("/api/v3/result/{resultId}/version/{version}", { params, signal })))
        .data
    },
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function violationsQuery(result: Pick<Result, "_id" | "updatedTime" | "currentVersion">) {
  return queryOptions({
    queryKey: ["routing-result", result._id, "violations", result.currentVersion, result.updatedTime],
    queryFn: async ({ signal }) =>
      (
        await responseOf(
          api.GET("/api/v3/result/{resultId}/violations", {
            params: { path: { resultId: result._id } },
            signal,
          }),
        )
      ).data,
  })
}

/** The ways of the vehicles, along roads where they are known. */
export function linesQuery({ _id: resultId, currentVersion }: Pick<Result, "_id" | "currentVersion">) {
  return queryOptions({
    queryKey: ["routing-lines", resultId, currentVersion],
    queryFn: async ({ signal }) =>
      (
        await responseOf(
          api.GET("/api/v3/result/{resultId}/lines", { params: { path: { resultId } }, signal }),
        )
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const actualMilliseconds = 60_000

export function actualQuery(resultId: string) {
  return queryOptions({
    queryKey: ["routing-result", resultId, "actual"],
    // Positions come all the time, and none of them says that this changed.
    refetchInterval: actualMilliseconds,
    queryFn: async ({ signal }) =>
      (
        await responseOf(
          api.GET("/api/v3/result/{resultId}/actual", { params: { path: { resultId } }, signal }),
        )
      ).data,
  })
}

/** Of one plan. */
export const maxVisits = 2000
export const maxVehicles = 300

/** The vehicles of a hub, and of the sub-hubs that goods go over. */
export function vehiclesOfHubsQuery(hubIds: readonly string[]) {
  return queryOptions({
    queryKey: ["vehicles", "of-hubs", hubIds],
    queryFn: async ({ signal }) => {
      const query = {
        hubId: hubIds.join(","),
        sortBy: "name",
        sortOrder: "asc",
        limit: maxVehicles,
      } as const
      const { data } = await responseOf(api.GET("/api/v3/vehicles", { params: { query }, signal }))
      return data.toSorted(
        (one, other) =>
          hubIds.indexOf(one.hubId) - hubIds.indexOf(other.hubId) ||
          one.name.localeCompare(other.name, undefined, { numeric: true }),
      )
    },
  })
}

/** The chosen tasks as visits; finished ones do not come back. */
export async function visitsOfTasks(taskIds: readonly string[]): Promise<TaskVisit[]> {
  const body = { taskIds: taskIds.slice(0, maxVisits) }
  return (await responseOf(api.POST("/api/v3/routing/visits", { body }))).data
}

type PlanBody = operations["planRoutes"]["requestBody"]["content"]["application/json"]

export async function startPlan(body: PlanBody): Promise<Result> {
  return (await responseOf(api.POST("/api/v3/routing", { body: { ...body, background: true } }))).data
}

const path = (resultId: string) => ({ params: { path: { resultId } } })

export const cancelPlan = (id: string) => responseOf(api.POST("/api/v3/routing/{resultId}/cancel", path(id)))
export const retryPlan = (id: string) => responseOf(api.POST("/api/v3/routing/{resultId}", path(id)))
export const deleteResult = (id: string) => responseOf(api.DELETE("/api/v3/result/{resultId}", path(id)))

export const dispatch = (resultId: string, dryRun: boolean) =>
  responseOf(api.POST("/api/v3/dispatch", { body: { resultId, dryRun } }))
export const undoDispatch = (resultId: string) =>
  responseOf(api.POST("/api/v3/dispatch/undo", { body: { resultId } }))

export interface Move {
  visitId: string
  vehicleId: string | null
  position?: number
  trip?: number
}

export const moveVisit = (id: string, move: Move) =>
  responseOf(api.PUT("/api/v3/result/{resultId}/moves", { ...path(id), body: { moves: [move] } }))

export const helpOf = async (id: string, visitId: string) =>
  (
    await responseOf(
      api.GET("/api/v3/result/{resultId}/help", { params: { path: { resultId: id }, query: { visitId } } }),
    )
  ).data

export const applyHelp = (id: string, visitId: string, kind: string) =>
  responseOf(api.POST("/api/v3/result/{resultId}/help", { ...path(id), body: { visitId, kind } }))

export const restoreVersion = (resultId: string, version: number) =>
  responseOf(
    api.PUT("/api/v3/result/{resultId}/restore/{version}", { params: { path: { resultId, version } } }),
  )
