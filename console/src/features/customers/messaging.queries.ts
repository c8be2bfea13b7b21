import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type RequestBody, type ResponseBody, server } from "../../api/server.ts"

export type Channel = ResponseBody<"listMessageChannels">["data"][number]
export type ChannelBody = RequestBody<"createMessageChannel">
export type Template = ResponseBody<"listCustomerMessageTemplates">["data"][number]
export type TemplateBody = RequestBody<"createCustomerMessageTemplate">
export type MessageSettings = ResponseBody<"getMessageSettings">["data"]

export const channelsQuery = dataQuery(["message-channels"], "/api/v3/customer-message-channels")
export const templatesQuery = dataQuery(["message-templates"], "/api/v3/customer-message-templates")
export const optOutsQuery = dataQuery(["customer-opt-outs"], "/api/v3/customer-opt-outs")
export const messageSettingsQuery = dataQuery(["message-settings"], "/api/v3/customer-message-settings")

const maxMessages = 200

export const messageLogQuery = queryOptions({
  queryKey: ["customer-messages"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/customer-messages", { query: { limit: maxMessages }, signal }))).data,
})
