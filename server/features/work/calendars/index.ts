export { calendarFeedRoutes, calendarRoutes } from "./routes.ts"
