import { dataQuery } from "../../../api/server.ts"
/** People with a running session or task who send no positions. The stream reports who falls silent and who is back. */
export const silentQuery = dataQuery(["silent-people"], "/api/v3/silent-people", {}, { staleTime: 0 })
