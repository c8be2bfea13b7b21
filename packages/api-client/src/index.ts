export { ApiError, responseOf } from "./api-error.ts"
export { createFieldway, type Fieldway, type FieldwayOptions } from "./fieldway.ts"
export type {
  Input,
  Operation,
  PagedOperation,
  ResponseBody,
  Row,
  UploadInput,
  UploadOperation,
} from "./operation-types.ts"
export type { ListPage } from "./pages.ts"
export { type RetryOptions, retryingFetch } from "./retry.ts"
export type { operations, paths } from "./schema.ts"
export type { UploadFile, UploadForm } from "./upload.ts"
