import { dataQuery, type ResponseBody } from "../../../api/server.ts"

export type CustomModule = ResponseBody<"listCustomModules">["data"][number]

/** The entries that the organization added to the menu, as far as the role may see them. */
export const customModulesQuery = dataQuery(["custom-modules"], "/api/v3/custom-modules")
