import type { App } from "#core/http/types.ts"
import { taskAdditionRoutes } from "./complete/addition-routes.ts"
import { taskPhotoRoutes } from "./complete/photo-routes.ts"
import { taskReviewRoutes } from "./complete/review-routes.ts"
import { taskHistoryRoutes } from "./read/history-routes.ts"
import { taskListRoutes } from "./read/list-routes.ts"
import type { ProgressFields } from "./read/progress-fields.ts"
import { type LatestPositions, publicTaskRoutes } from "./read/public-routes.ts"
import { taskSummaryRoutes } from "./read/summary-routes.ts"
import { taskRoutes as singleTaskRoutes } from "./routes.ts"
import { taskUpsertRoutes } from "./upsert/upsert-routes.ts"
import { taskBulkRoutes } from "./write/bulk-routes.ts"
import { taskClaimRoutes } from "./write/claim-routes.ts"

export { auditedTask } from "./audited-task.ts"
export { readValues, titleOf } from "./complete/component-values.ts"
export { adjustmentHours } from "./complete/derive.ts"
export { checkPhoto } from "./complete/photo-routes.ts"
export { stampVisits, type TaskVisit } from "./complete/stamp-visits.ts"
export { taskErrors } from "./errors.ts"
export { emitOfTasks } from "./events.ts"
export { type DayTask, findDayTasks } from "./facts/day-tasks.ts"
export { listOpenTasks, type OpenTask } from "./facts/open-tasks.ts"
export { hubsOfTasks, listOverdueTasks } from "./facts/overdue-tasks.ts"
export { type PastDays, pastDays } from "./facts/past-days.ts"
export { isPastTaskField } from "./facts/past-tasks.ts"
export { tasksAt } from "./facts/tasks-at.ts"
export { listTasksBetween } from "./facts/tasks-between.ts"
export { foldTaskCountsSoon, taskJobs } from "./jobs.ts"
export {
  findTasks,
  findWritten,
  inSightOf,
  lastTaskChangeInHub,
  relatedColumns,
  taskColumns,
  visibleTasks,
} from "./queries.ts"
export { listHistoryPage } from "./read/histories.ts"
export { type TaskFilter, taskConditions } from "./read/list-query.ts"
export {
  arrivalsAt,
  type FinishedStop,
  finishedStops,
  finishedValues,
  lockExistingTasks,
  type OpenStop,
  openStops,
  stopsOfHub,
} from "./read/stops.ts"
export { sortExpression } from "./read/task-order.ts"
export { removeTasksOfHub, restoreTasksOfHub } from "./remove/hub-tasks.ts"
export { taskRestorer } from "./remove/restore-task.ts"
export { removeUntouchedTasks, restoreUntouchedTasks, snapshotTasks } from "./remove/take-back.ts"
export { factTime, reasonCharacters, type TaskFacet, taskFacts } from "./task-facts.ts"
export { type TaskRow, toWireTask } from "./wire.ts"
export { assigneesOf, checkAssignees } from "./write/assignees.ts"
export { changeTask, changeTasks, patchTask } from "./write/change-tasks.ts"
export { createTasks } from "./write/create-tasks.ts"
export { releaseAssignee, renameAssignee } from "./write/release-assignee.ts"
export { TaskBody } from "./write/task-body.ts"
export { findRepeatedRefs } from "./write/unique-refs.ts"
export { insertActivity, removeActivity } from "./write/write-activity.ts"

/** What other features know of tasks: where their people are, for the public page, and fields of tasks in progress. */
export interface TaskSources {
  latestPositions: LatestPositions
  progressFields: ProgressFields
}

export function taskRoutes(app: App, { latestPositions, progressFields }: TaskSources): void {
  taskListRoutes(app, progressFields)
  taskSummaryRoutes(app)
  taskHistoryRoutes(app)
  taskBulkRoutes(app)
  taskUpsertRoutes(app)
  taskPhotoRoutes(app)
  taskAdditionRoutes(app)
  taskReviewRoutes(app)
  taskClaimRoutes(app)
  publicTaskRoutes(app, latestPositions)
  singleTaskRoutes(app, progressFields)
}
