export { seesAlert, visibleAlerts } from "./alerts.ts"
export { alertRoutes } from "./routes.ts"
export { alertJobs, watchAlarmsSoon } from "./watch.ts"
