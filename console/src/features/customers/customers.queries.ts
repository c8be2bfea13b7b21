import { dataQuery, type ResponseBody } from "../../api/server.ts"

export type TrackingSettings = ResponseBody<"getTrackingPageSettings">["data"]

export const trackingSettingsQuery = dataQuery(["tracking-page-settings"], "/api/v3/tracking-page-settings")
