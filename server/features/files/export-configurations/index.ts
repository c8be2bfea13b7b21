export {
  type ConfigField,
  type ExportConfigRow,
  exportConfigColumns,
  findExportConfig,
} from "./queries.ts"
export { nextRunOf } from "./read-config.ts"
export { exportConfigRoutes } from "./routes.ts"
