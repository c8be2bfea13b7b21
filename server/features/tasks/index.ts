import type { App } from "#core/http/types.ts"
import { taskBulkRoutes } from "./bulk-routes.ts"
import { taskListRoutes } from "./list-routes.ts"
import { taskPhotoRoutes } from "./photo-routes.ts"
import { type LatestPositions, publicTaskRoutes } from "./public-routes.ts"
import { taskRoutes as singleTaskRoutes } from "./routes.ts"
import { taskUpsertRoutes } from "./upsert-routes.ts"

export { assigneesOf, checkAssignees } from "./assignees.ts"
export { type ChangeContext, type Changed, changeTask, changeTasks, patchTask } from "./change-tasks.ts"
export {
  type ComponentValues,
  isPhoneNumber,
  isRequired,
  isWebAddress,
  readValue,
  readValues,
  titleOf,
} from "./component-values.ts"
export { countTasks } from "./count-tasks.ts"
export { type CreateContext, type Created, createTasks } from "./create-tasks.ts"
export { adjustmentHours } from "./derive.ts"
export { taskErrors } from "./errors.ts"
export { taskJobs } from "./jobs.ts"
export { type TaskFilter, TaskFilterQuery, taskConditions } from "./list-query.ts"
export { listTasks } from "./list-tasks.ts"
export type { LatestPositions, PublicPosition } from "./public-routes.ts"
export {
  findTask,
  findTasks,
  findWritten,
  hubAndOrganization,
  lastTaskChangeInHub,
  listHistories,
  lockTasks,
  taskColumns,
  visibleTasks,
} from "./queries.ts"
export { releaseAssignee, renameAssignee } from "./release-assignee.ts"
export { taskRestorer } from "./restore-task.ts"
export { removeUntouchedTasks, restoreUntouchedTasks, snapshotTasks } from "./take-back.ts"
export { TaskBody } from "./task-body.ts"
export { sortExpression } from "./task-order.ts"
export { findRepeatedRefs } from "./unique-refs.ts"
export { type TaskRow, toWireTask } from "./wire.ts"
export { insertActivity, removeActivity } from "./write-activity.ts"

/** `latestPositions` answers where the people of a task are, for its public view. */
export function taskRoutes(app: App, latestPositions: LatestPositions): void {
  taskListRoutes(app)
  taskBulkRoutes(app)
  taskUpsertRoutes(app)
  taskPhotoRoutes(app)
  publicTaskRoutes(app, latestPositions)
  singleTaskRoutes(app)
}
