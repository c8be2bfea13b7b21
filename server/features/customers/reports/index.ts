export { reportErrors } from "./errors.ts"
export { makeReport } from "./make-report.ts"
export { reportRoutes } from "./routes.ts"
export { readReportSettings } from "./settings.ts"
