export { type Field, type FieldKind, primaryKeyId } from "./field.ts"
export {
  convert,
  type FieldValue,
  hasOrder,
  isEmptyValue,
  orderKeyOf,
  type ReadFields,
  readFields,
  readFieldValue,
  readPrimaryKey,
  type ValueProblem,
  type ValueSource,
} from "./field-values.ts"
export {
  countedFields,
  type DataTypeRow,
  findDataType,
  findDataTypeByName,
  findDataTypes,
  holdDataTypes,
} from "./queries.ts"
export { providerKeyOf, sealStoredProviders } from "./read-provider.ts"
export type { Impact, RecordsOfType, Repair } from "./records-of-type.ts"
export { dataTypeRestorer } from "./restore-type.ts"
export { dataTypeRoutes } from "./routes.ts"
