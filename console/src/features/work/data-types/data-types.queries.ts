import { queryOptions } from "@tanstack/react-query"
import { type RequestBody, type ResponseBody, server } from "../../../api/server.ts"

type Changed = ResponseBody<"changeDataType">

export type DataType = Changed["data_type"]
export type DataField = DataType["fields"][number]
export type Impact = Changed["impact"]
export type NewDataType = RequestBody<"createDataType">
export type DataTypeChange = RequestBody<"changeDataType">

export const dataTypesQuery = queryOptions({
  queryKey: ["data-types"],
  queryFn: async ({ signal }) => {
    const query = { limit: -1, provider: "internal,external-api" }
    const answer = await server.get("/api/v3/data-types", { query, signal })
    return answer.data_types.data as DataType[]
  },
})

export function dataTypeQuery(dataTypeId: string) {
  return queryOptions({
    queryKey: ["data-types", dataTypeId],
    queryFn: async ({ signal }) =>
      (await server.get("/api/v3/data-type/{dataTypeId}", { dataTypeId, signal })).data_type,
  })
}

export async function createDataType(body: NewDataType): Promise<DataType> {
  return (await server.post("/api/v3/data-type", { body })).data_type
}

/** With `dryRun` nothing is written: the response contains the effect of the change on the records. */
export const changeDataType = (dataTypeId: string, body: DataTypeChange, dryRun: boolean) =>
  server.patch("/api/v3/data-type/{dataTypeId}", { dataTypeId, query: { dryRun }, body })

export const deleteDataType = (dataTypeId: string) =>
  server.delete("/api/v3/data-type/{dataTypeId}", { dataTypeId })
