import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

type Changed = operations["changeDataType"]["responses"]["200"]["content"]["application/json"]

export type DataType = Changed["data_type"]
export type DataField = DataType["fields"][number]
export type Impact = Changed["impact"]
export type NewDataType = operations["createDataType"]["requestBody"]["content"]["application/json"]
export type DataTypeChange = operations["changeDataType"]["requestBody"]["content"]["application/json"]

export const dataTypesQuery = queryOptions({
  queryKey: ["data-types"],
  queryFn: async ({ signal }) => {
    const query = { limit: -1, provider: "internal,external-api" }
    const answer = await responseOf(api.GET("/api/v3/data-types", { params: { query }, signal }))
    return answer.data_types.data as DataType[]
  },
})

export function dataTypeQuery(dataTypeId: string) {
  return queryOptions({
    queryKey: ["data-types", dataTypeId],
    queryFn: async ({ signal }) =>
      (
        await responseOf(
          api.GET("/api/v3/data-type/{dataTypeId}", { params: { path: { dataTypeId } }, signal }),
        )
      ).data_type,
  })
}

export async function createDataType(body: NewDataType): Promise<DataType> {
  return (await responseOf(api.POST("/api/v3/data-type", { body }))).data_type
}

/** With `dryRun` nothing is written: the answer's impact says what the change would do to the records. */
export function changeDataType(dataTypeId: string, body: DataTypeChange, dryRun: boolean) {
  return responseOf(
    api.PATCH("/api/v3/data-type/{dataTypeId}", {
      params: { path: { dataTypeId }, query: { dryRun } },
      body,
    }),
  )
}

export function deleteDataType(dataTypeId: string) {
  return responseOf(api.DELETE("/api/v3/data-type/{dataTypeId}", { params: { path: { dataTypeId } } }))
}
