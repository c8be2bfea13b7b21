import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type RequestBody, type ResponseBody, server } from "../../api/server.ts"

export type RequestForm = ResponseBody<"listRequestForms">["data"][number]
export type RequestFormBody = RequestBody<"createRequestForm">
export type TaskRequest = ResponseBody<"listTaskRequests">["data"]["data"][number]

export const requestFormsQuery = dataQuery(["request-forms"], "/api/v3/request-forms")

const maxRequests = 200

export const taskRequestsQuery = (status: TaskRequest["status"]) =>
  queryOptions({
    queryKey: ["task-requests", status],
    queryFn: async ({ signal }) =>
      await dataOf(server.get("/api/v3/task-requests", { query: { limit: maxRequests, status }, signal })),
  })
