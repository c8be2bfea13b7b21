import type { App } from "#core/http/types.ts"
import { taskBulkRoutes } from "./bulk-routes.ts"
import { taskRoutes as singleTaskRoutes } from "./routes.ts"

export { checkAssignees } from "./assignees.ts"
export {
  type ComponentValues,
  isPhoneNumber,
  isRequired,
  isWebAddress,
  readValue,
  readValues,
  titleOf,
} from "./component-values.ts"
export { assigneesOf, type CreateContext, type Created, createTasks } from "./create-tasks.ts"
export { adjustmentHours } from "./derive.ts"
export { taskErrors } from "./errors.ts"
export { taskJobs } from "./jobs.ts"
export { type TaskFilter, TaskFilterQuery, taskConditions } from "./list-query.ts"
export { countTasks, listTasks } from "./list-tasks.ts"
export { patchTask } from "./patch-tasks.ts"
export { findTask, findTasks, hubOfTask, taskColumns, visibleTasks } from "./queries.ts"
export { releaseAssignee, renameAssignee } from "./release-assignee.ts"
export { removeUntouchedTasks, restoreUntouchedTasks, snapshotTasks } from "./take-back.ts"
export { TaskBody } from "./task-body.ts"
export { type TaskRow, toWireTask } from "./wire.ts"

export function taskRoutes(app: App): void {
  taskBulkRoutes(app)
  singleTaskRoutes(app)
}
