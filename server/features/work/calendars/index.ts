export { endFeeds, undoFeedChange } from "./feeds.ts"
export { calendarFeedRoutes, calendarRoutes } from "./routes.ts"
