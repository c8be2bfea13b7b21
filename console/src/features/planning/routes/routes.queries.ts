import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { byName } from "../../../i18n/by-name.ts"

export type Result = ResponseBody<"getResult">["data"]
export type VehicleRoute = NonNullable<Result["result"]>["routing"][number]
export type RouteNode = VehicleRoute["trips"][number]
export type Dropped = NonNullable<Result["result"]>["dropped"][number]
export type Help = NonNullable<Dropped["help"]>[number]
export type Violation = ResponseBody<"moveVisits">["violations"][number]
export type TaskVisit = ResponseBody<"listVisitsOfTasks">["data"][number]

const listed = "name,routingDate,status,message,summary,dispatchStatus,progress,createdTime,hubId"
const maxListed = 200

export function resultsQuery(options: { hub?: string | undefined; s?: string | undefined }) {
  const query = {
    limit: maxListed,
    fields: listed,
    ...(options.hub ? { hubId: options.hub } : {}),
    ...(options.s ? { s: options.s } : {}),
  }
  return dataQuery(["routing-results", query], "/api/v3/results", { query })
}

export const resultQuery = (resultId: string) =>
  dataQuery(["routing-result", resultId], "/api/v3/result/{resultId}", { resultId })

export const historyQuery = (resultId: string) =>
  dataQuery(["routing-result", resultId, "history"], "/api/v3/result/{resultId}/history", { resultId })

export type Version = ResponseBody<"getResultVersion">["data"]

export const versionQuery = (resultId: string, version: number) =>
  dataQuery(
    ["routing-result", resultId, "version", version],
    "/api/v3/result/{resultId}/version/{version}",
    { resultId, version },
    {
      // A version never changes.
      staleTime: Number.POSITIVE_INFINITY,
    },
  )

export const violationsQuery = (result: Pick<Result, "_id" | "updatedTime" | "currentVersion">) =>
  dataQuery(
    ["routing-result", result._id, "violations", result.currentVersion, result.updatedTime],
    "/api/v3/result/{resultId}/violations",
    { resultId: result._id },
  )

/** The routes of the vehicles, along roads if a road network is installed. */
export const linesQuery = ({ _id: resultId, currentVersion }: Pick<Result, "_id" | "currentVersion">) =>
  dataQuery(
    ["routing-lines", resultId, currentVersion],
    "/api/v3/result/{resultId}/lines",
    { resultId },
    {
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        dataUpdateCount < maxLineRequests && data?.some(({ isLate }) => isLate) ? lateMilliseconds : false,
    },
  )

/** On a busy server, lines along roads may take longer than one request. */
const maxLineRequests = 10
const lateMilliseconds = 2_000

const actualMilliseconds = 60_000

export const actualQuery = (resultId: string) =>
  dataQuery(
    ["routing-result", resultId, "actual"],
    "/api/v3/result/{resultId}/actual",
    { resultId },
    {
      // Positions arrive continuously without an event for this query.
      refetchInterval: actualMilliseconds,
    },
  )

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
      const { data } = await server.get("/api/v3/vehicles", { query, signal })
      return data.toSorted(
        (one, other) => hubIds.indexOf(one.hubId) - hubIds.indexOf(other.hubId) || byName(one, other),
      )
    },
  })
}

/** The chosen tasks as visits; finished ones do not come back. */
export function visitsOfTasks(taskIds: readonly string[]): Promise<TaskVisit[]> {
  const body = { taskIds: taskIds.slice(0, maxVisits) }
  return dataOf(server.post("/api/v3/routing/visits", { body }))
}

type PlanBody = RequestBody<"planRoutes">

export function startPlan(body: PlanBody): Promise<Result> {
  return dataOf(server.post("/api/v3/routing", { body: { ...body, background: true } }))
}

export const cancelPlan = (resultId: string) => server.post("/api/v3/routing/{resultId}/cancel", { resultId })
export const retryPlan = (resultId: string) => server.post("/api/v3/routing/{resultId}", { resultId })
export const planWhatIf = (resultId: string, withoutVehicleIds: string[]) =>
  server.post("/api/v3/routing/{resultId}/what-if", { resultId, body: { withoutVehicleIds } })
export const deleteResult = (resultId: string) => server.delete("/api/v3/result/{resultId}", { resultId })

export const dispatch = (resultId: string, dryRun: boolean) =>
  server.post("/api/v3/dispatch", { body: { resultId, dryRun } })
export const undoDispatch = (resultId: string) => server.post("/api/v3/dispatch/undo", { body: { resultId } })

export interface Move {
  visitId: string
  vehicleId: string | null
  position?: number
  trip?: number
}

export const moveVisit = (resultId: string, move: Move) =>
  server.put("/api/v3/result/{resultId}/moves", { resultId, body: { moves: [move] } })

export const helpOf = (id: string, visitId: string) =>
  dataOf(server.get("/api/v3/result/{resultId}/help", { resultId: id, query: { visitId } }))

export const applyHelp = (id: string, visitId: string, kind: string) =>
  server.post("/api/v3/result/{resultId}/help", { resultId: id, body: { visitId, kind } })

export const restoreVersion = (resultId: string, version: number) =>
  server.put("/api/v3/result/{resultId}/restore/{version}", { resultId, version })
