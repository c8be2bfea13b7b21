export { type ExportConfigRow, findExportConfig, lockDueConfigs, setNextRun } from "./queries.ts"
export { nextRunOf } from "./read-config.ts"
export { exportConfigRoutes } from "./routes.ts"
