/** How a value that a client sends is read, see `features/work/tasks/client-attributes.ts`. */
export type FieldForm =
  | "text"
  | "instant"
  | "coordinate"
  | "count"
  | "meters"
  | "priority"
  | "outcome"
  | "level"
  | "tags"
  | "version"
  | "details"
  | "anything"

export interface TaskField {
  /** The English title in files and lists, where splitting the name into words would not read well. */
  en?: string
  /** Its column of `tasks`, by which lists and exports sort. Fields without one are kept in `attributes`. */
  column?: string
  /**
   * Who sends it besides the server, and how it is read. A planner's value that cannot be read refuses the change, and a
   * full replacement without it clears it; a worker's refuses the change too, and a replacement leaves it; what a phone
   * says of itself is left out with a warning.
   */
  sent?: readonly ["planner" | "worker" | "phone", FieldForm]
  /** Where it stands in an export of everything: before the components or after them, in the order of this table. */
  exported?: "first" | "later"
  /** Its description in the API, of responses and, where it is `sent`, of bodies. */
  description?: string
  /** In every response, null without a value. Otherwise only where it is set. */
  isAlwaysShown?: true
  /** How a task import reads its column, and what it says about it. The column is optional and not in the template. */
  imported?: { kind: "text" | "number" | "dateTime"; help: string; aliases?: readonly string[] }
  /** Flows may have a component with this id, which then wins. */
  isFree?: true
  /**
   * Younger than flows that have a component with this id: the component keeps the key, and the field is sent and returned
   * with a leading underscore. New flows cannot use the id.
   */
  yields?: true
}

/**
 * The base fields of tasks, each declared once. Reserved ids of components, what clients may write, responses and their
 * description, bodies, the columns to sort by, and the columns of imports and exports with their titles follow from it. An
 * optional field that is kept in `attributes` needs only an entry here for all of that.
 */
const declared = {
  _id: { en: "ID", column: "id", exported: "first" },
  flow: { column: "flow", exported: "first" },
  hubId: { en: "Hub ID", column: "hub_id", exported: "first" },
  hub: { exported: "first" },
  startTime: { column: "start_time", exported: "first" },
  endTime: { column: "end_time", exported: "first" },
  appVersion: { sent: ["phone", "version"], exported: "first" },
  deviceInformation: { sent: ["phone", "anything"], exported: "first" },
  title: { column: "title", exported: "later" },
  content: { column: "content", exported: "later" },
  label: { column: "label", exported: "later" },
  createdBy: { column: "created_by", exported: "later" },
  createdTime: { column: "created_time", exported: "later" },
  updatedBy: { column: "updated_by", exported: "later" },
  updatedTime: { column: "updated_time", exported: "later" },
  assignee: { column: "assignee", exported: "later" },
  assignedBy: { column: "assigned_by", exported: "later" },
  assignedTime: { column: "assigned_time", exported: "later" },
  status: { column: "status", exported: "later" },
  doneBy: { column: "done_by", exported: "later" },
  doneTime: { column: "done_time", exported: "later" },
  eta: { en: "ETA", exported: "later" },
  etd: { en: "ETD", exported: "later" },
  distance: { exported: "later" },
  travelDuration: { exported: "later" },
  duration: { exported: "later" },
  waitingTime: { exported: "later" },
  assignedVehicle: {
    en: "Vehicle",
    description: "The vehicle of the planned route, or null",
    isAlwaysShown: true,
    exported: "later",
  },
  routePlannedOrder: {
    description: "Position in the planned route from 1; null when the task was assigned by hand",
    isAlwaysShown: true,
    exported: "later",
  },
  visitGroup: {
    description: "Text or null: visits that are planned together",
    isAlwaysShown: true,
    sent: ["planner", "text"],
    exported: "later",
  },
  visitGroupPriority: {
    description: "Whole number from 0 to 100, or null",
    isAlwaysShown: true,
    sent: ["planner", "priority"],
    exported: "later",
  },
  flowId: { en: "Flow ID", column: "flow_id", exported: "later" },
  orderIndex: { column: "order_index", exported: "later" },
  assignedTo: { en: "Assigned To", exported: "later" },
  createdFrom: { column: "created_from", exported: "later" },
  doneCoordinate: { sent: ["phone", "coordinate"], exported: "later" },
  openTaskTime: { sent: ["phone", "instant"], exported: "later" },
  assignedVehicleId: { en: "Vehicle ID", exported: "later" },
  expectedCoordinate: { exported: "later" },
  refId: { en: "Reference", column: "ref_id", exported: "later" },
  createdCoordinate: { sent: ["phone", "coordinate"], exported: "later" },
  doneFrom: { sent: ["phone", "text"], exported: "later" },
  expectedDoneTime: {
    sent: ["planner", "instant"],
    imported: { kind: "dateTime", help: "When the task is expected to be finished" },
    exported: "later",
    description: "When the task is expected to be finished",
  },
  geoLockTrigger: { exported: "later" },
  idLocal: { en: "Local ID", sent: ["phone", "text"], exported: "later" },
  idleDuration: { sent: ["phone", "count"], exported: "later" },
  useGeoLock: { exported: "later" },
  syncedTime: { sent: ["phone", "instant"], exported: "later" },
  routingResultId: { en: "Routing Result ID", exported: "later" },
  parentTaskId: { en: "Parent Task ID", exported: "later" },
  taskType: { column: "task_type", exported: "later" },
  parentId: { en: "Parent ID", exported: "later" },
  outcome: {
    sent: ["worker", "outcome"],
    exported: "later",
    yields: true,
    description:
      "done (default), partial, failed or returned, with status DONE; skipped, without a status, leaves the task open. Where a flow has a component with this id, or with one of the following, the field has a leading underscore: `_outcome`",
  },
  outcomeReason: {
    sent: ["worker", "text"],
    exported: "later",
    yields: true,
    description: "One of the flow's reasons for the outcome",
  },
  arrivedTime: {
    sent: ["phone", "instant"],
    exported: "later",
    yields: true,
    description: "When the worker arrived",
  },
  leftTime: {
    sent: ["phone", "instant"],
    exported: "later",
    yields: true,
    description: "When the worker left; can be added to a finished task",
  },
  isLate: {
    en: "Late",
    exported: "later",
    yields: true,
    description: "True if the task was finished after its endTime",
  },
  lateReason: {
    sent: ["worker", "text"],
    exported: "later",
    yields: true,
    description: "Why the task was finished after its endTime",
  },
  needsReview: {
    exported: "later",
    yields: true,
    description: "True until a supervisor accepts a finish that broke a rule of the flow",
  },
  reviewReasons: {
    exported: "later",
    yields: true,
    description: "Texts: which rules",
  },
  reviewedBy: {
    exported: "later",
    yields: true,
    description: "E-mail of the supervisor",
  },
  reviewedTime: {
    exported: "later",
    yields: true,
    description: "When the supervisor accepted it",
  },
  reviewNote: {
    exported: "later",
    yields: true,
    description: "What the supervisor noted",
  },
  attempt: {
    exported: "later",
    yields: true,
    description: "Number of this attempt, from 2",
  },
  previousTaskId: {
    en: "Previous Task ID",
    exported: "later",
    yields: true,
    description: "The task whose next attempt this is",
  },
  nextTaskId: {
    en: "Next Task ID",
    exported: "later",
    yields: true,
    description: "The next attempt of this task",
  },
  customerInstructions: {
    yields: true,
    description: "What the customer wrote on the tracking page",
  },
  customerSafePlace: { yields: true, description: "Where the customer allows to leave the goods" },
  customerContact: { yields: true, description: "Another contact person that the customer named" },
  customerCancellation: {
    yields: true,
    description: "Set when the customer asked to cancel: their reason, or -",
  },
  estimatedArrival: {
    en: "Expected Arrival",
    yields: true,
    description: "When the worker is expected; absent when the task is not an open stop of a running day",
  },
  estimatedArrivalWindow: {
    yields: true,
    description:
      "`earliest` and `latest`, between which 90 % of arrivals are; `stopsBefore`; `basis`, road or straight (without road times); `isLate`, expected after the deadline; `computedTime`",
  },
  nextAttempt: { yields: true },
  priority: {
    sent: ["planner", "level"],
    imported: { kind: "text", help: "low, normal, high or urgent" },
    exported: "later",
    yields: true,
    description: "low, normal, high or urgent",
  },
  tags: {
    sent: ["planner", "tags"],
    imported: { kind: "text", help: "With commas between them" },
    exported: "later",
    yields: true,
    description: "Texts, at most 20; a text with commas is read as several",
  },
  organizationId: { en: "Organization ID" },
  organization: {},
  isDeleted: {},
  isSample: {},
  geoLock: {},
  histories: {},
  additions: { yields: true },
  Handover: {},
  autoSplit: {},
  splitNumber: {},
  useVisitGroup: {},
  automationRefId: {},
  automationRefType: {},
  subId: {},
  workflow: {},
  deviceInfo: { sent: ["phone", "details"], isFree: true },
  doneAccuracy: { sent: ["phone", "meters"], isFree: true },
  doneCoordinateTime: { sent: ["phone", "instant"], isFree: true },
  battery: { sent: ["phone", "details"], isFree: true },
  network: { sent: ["phone", "details"], isFree: true },
  inLocation: { sent: ["phone", "instant"], isFree: true },
  outLocation: { sent: ["phone", "instant"], isFree: true },
} as const satisfies Readonly<Record<string, TaskField>>

export const taskFields: Readonly<Record<string, TaskField>> = declared

/** Titles of one language: a field without one does not compile. */
export type TaskFieldTitles = Readonly<Record<keyof typeof declared, string>>

/** Names of the fields that meet a condition, in the order of the table. */
export function taskFieldNames(meets: (field: TaskField) => boolean): string[] {
  return Object.entries(taskFields).flatMap(([name, field]) => (meets(field) ? [name] : []))
}

const yielding: ReadonlySet<string> = new Set(taskFieldNames(({ yields }) => yields === true))

/** Whether a component of an older flow may have the field's id, see `yields`. */
export function isYielding(name: string): boolean {
  return yielding.has(name)
}

/** The key that a field has on a task with these components' values. */
export function taskKey(name: string, values: Readonly<Record<string, unknown>>): string {
  return yielding.has(name) && Object.hasOwn(values, name) ? `_${name}` : name
}

/** The column to sort tasks by; undefined for fields that are kept in `attributes`, and for names of components. */
export function taskColumn(name: string): string | undefined {
  return Object.hasOwn(taskFields, name) ? taskFields[name]?.column : undefined
}
