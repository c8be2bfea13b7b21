export { findDeleted } from "./queries.ts"
export { restoreFromTrash } from "./restore-from-trash.ts"
export { trashRoutes } from "./routes.ts"
