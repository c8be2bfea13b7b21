export { type ConfigField, type ExportConfigRow, findExportConfig } from "./queries.ts"
