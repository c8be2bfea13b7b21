import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"

export type CalendarFeed = ResponseBody<"listCalendarFeeds">["data"][number]
export type FeedKind = CalendarFeed["kind"]

export const feedsQuery = dataQuery(["calendar-feeds"], "/api/v3/calendar-feeds")

export const createFeed = (kind: FeedKind, targetId: string) =>
  dataOf(server.post("/api/v3/calendar-feed", { body: { kind, targetId } }))

export const deleteFeed = (feedId: string) => server.delete("/api/v3/calendar-feed/{feedId}", { feedId })
