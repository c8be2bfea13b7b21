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
  /** The title in files and lists, where splitting the name into words would not read well. */
  en?: string
  /** The Indonesian title. */
  id?: string
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
export const taskFields: Readonly<Record<string, TaskField>> = {
  _id: { en: "ID", id: "ID", column: "id", exported: "first" },
  flow: { id: "Alur", column: "flow", exported: "first" },
  hubId: { en: "Hub ID", id: "ID Hub", column: "hub_id", exported: "first" },
  hub: { id: "Hub", exported: "first" },
  startTime: { id: "Waktu Mulai", column: "start_time", exported: "first" },
  endTime: { id: "Waktu Selesai", column: "end_time", exported: "first" },
  appVersion: { id: "Versi Aplikasi", sent: ["phone", "version"], exported: "first" },
  deviceInformation: { id: "Informasi Perangkat", sent: ["phone", "anything"], exported: "first" },
  title: { id: "Judul", column: "title", exported: "later" },
  content: { id: "Isi", column: "content", exported: "later" },
  label: { id: "Label", column: "label", exported: "later" },
  createdBy: { id: "Dibuat Oleh", column: "created_by", exported: "later" },
  createdTime: { id: "Waktu Dibuat", column: "created_time", exported: "later" },
  updatedBy: { id: "Diubah Oleh", column: "updated_by", exported: "later" },
  updatedTime: { id: "Waktu Diubah", column: "updated_time", exported: "later" },
  assignee: { id: "Penerima Tugas", column: "assignee", exported: "later" },
  assignedBy: { id: "Ditugaskan Oleh", column: "assigned_by", exported: "later" },
  assignedTime: { id: "Waktu Penugasan", column: "assigned_time", exported: "later" },
  status: { id: "Status", column: "status", exported: "later" },
  doneBy: { id: "Diselesaikan Oleh", column: "done_by", exported: "later" },
  doneTime: { id: "Waktu Penyelesaian", column: "done_time", exported: "later" },
  eta: { en: "ETA", exported: "later" },
  etd: { en: "ETD", exported: "later" },
  distance: { id: "Jarak", exported: "later" },
  travelDuration: { id: "Durasi Perjalanan", exported: "later" },
  duration: { id: "Durasi", exported: "later" },
  waitingTime: { id: "Waktu Tunggu", exported: "later" },
  assignedVehicle: {
    en: "Vehicle",
    id: "Kendaraan",
    description: "The vehicle of the planned route, or null",
    isAlwaysShown: true,
    exported: "later",
  },
  routePlannedOrder: {
    id: "Urutan Rute",
    description: "Position in the planned route from 1; null when the task was assigned by hand",
    isAlwaysShown: true,
    exported: "later",
  },
  visitGroup: {
    id: "Grup Kunjungan",
    description: "Text or null: visits that are planned together",
    isAlwaysShown: true,
    sent: ["planner", "text"],
    exported: "later",
  },
  visitGroupPriority: {
    id: "Prioritas Grup Kunjungan",
    description: "Whole number from 0 to 100, or null",
    isAlwaysShown: true,
    sent: ["planner", "priority"],
    exported: "later",
  },
  flowId: { en: "Flow ID", id: "ID Alur", column: "flow_id", exported: "later" },
  orderIndex: { id: "Urutan", column: "order_index", exported: "later" },
  assignedTo: { en: "Assigned To", id: "Ditugaskan Kepada", exported: "later" },
  createdFrom: { id: "Dibuat Dari", column: "created_from", exported: "later" },
  doneCoordinate: { id: "Koordinat Penyelesaian", sent: ["phone", "coordinate"], exported: "later" },
  openTaskTime: { id: "Waktu Tugas Dibuka", sent: ["phone", "instant"], exported: "later" },
  assignedVehicleId: { en: "Vehicle ID", id: "ID Kendaraan", exported: "later" },
  expectedCoordinate: { id: "Koordinat Tujuan", exported: "later" },
  refId: { en: "Reference", id: "Referensi", column: "ref_id", exported: "later" },
  createdCoordinate: { id: "Koordinat Pembuatan", sent: ["phone", "coordinate"], exported: "later" },
  doneFrom: { id: "Diselesaikan Dari", sent: ["phone", "text"], exported: "later" },
  expectedDoneTime: {
    id: "Perkiraan Waktu Penyelesaian",
    sent: ["planner", "instant"],
    imported: { kind: "dateTime", help: "When the task is expected to be finished" },
    exported: "later",
    description: "When the task is expected to be finished",
  },
  geoLockTrigger: { id: "Pemicu Kunci Lokasi", exported: "later" },
  idLocal: { en: "Local ID", id: "ID Lokal", sent: ["phone", "text"], exported: "later" },
  idleDuration: { id: "Durasi Diam", sent: ["phone", "count"], exported: "later" },
  useGeoLock: { id: "Pakai Kunci Lokasi", exported: "later" },
  syncedTime: { id: "Waktu Sinkronisasi", sent: ["phone", "instant"], exported: "later" },
  routingResultId: { en: "Routing Result ID", id: "ID Hasil Rute", exported: "later" },
  parentTaskId: { en: "Parent Task ID", id: "ID Tugas Asal", exported: "later" },
  taskType: { id: "Jenis Tugas", column: "task_type", exported: "later" },
  parentId: { en: "Parent ID", id: "ID Induk", exported: "later" },
  outcome: {
    id: "Hasil",
    sent: ["worker", "outcome"],
    exported: "later",
    yields: true,
    description:
      "done (default), partial, failed or returned, with status DONE; skipped, without a status, leaves the task open. Where a flow has a component with this id, or with one of the following, the field has a leading underscore: `_outcome`",
  },
  outcomeReason: {
    id: "Alasan Hasil",
    sent: ["worker", "text"],
    exported: "later",
    yields: true,
    description: "One of the flow's reasons for the outcome",
  },
  arrivedTime: {
    id: "Waktu Tiba",
    sent: ["phone", "instant"],
    exported: "later",
    yields: true,
    description: "When the worker arrived",
  },
  leftTime: {
    id: "Waktu Pergi",
    sent: ["phone", "instant"],
    exported: "later",
    yields: true,
    description: "When the worker left; can be added to a finished task",
  },
  isLate: {
    en: "Late",
    id: "Terlambat",
    exported: "later",
    yields: true,
    description: "True if the task was finished after its endTime",
  },
  lateReason: {
    id: "Alasan Terlambat",
    sent: ["worker", "text"],
    exported: "later",
    yields: true,
    description: "Why the task was finished after its endTime",
  },
  needsReview: {
    id: "Perlu Ditinjau",
    exported: "later",
    yields: true,
    description: "True until a supervisor accepts a finish that broke a rule of the flow",
  },
  reviewReasons: {
    id: "Alasan Peninjauan",
    exported: "later",
    yields: true,
    description: "Texts: which rules",
  },
  reviewedBy: {
    id: "Ditinjau Oleh",
    exported: "later",
    yields: true,
    description: "E-mail of the supervisor",
  },
  reviewedTime: {
    id: "Waktu Peninjauan",
    exported: "later",
    yields: true,
    description: "When the supervisor accepted it",
  },
  reviewNote: {
    id: "Catatan Peninjauan",
    exported: "later",
    yields: true,
    description: "What the supervisor noted",
  },
  attempt: {
    id: "Percobaan",
    exported: "later",
    yields: true,
    description: "Number of this attempt, from 2",
  },
  previousTaskId: {
    en: "Previous Task ID",
    id: "ID Tugas Sebelumnya",
    exported: "later",
    yields: true,
    description: "The task whose next attempt this is",
  },
  nextTaskId: {
    en: "Next Task ID",
    id: "ID Tugas Berikutnya",
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
    id: "Perkiraan Tiba",
    yields: true,
    description: "When the worker is expected; absent when the task is not an open stop of a running day",
  },
  estimatedArrivalWindow: {
    id: "Rentang Perkiraan Tiba",
    yields: true,
    description:
      "`earliest` and `latest`, between which 90 % of arrivals are; `stopsBefore`; `basis`, road or straight (without road times); `isLate`, expected after the deadline; `computedTime`",
  },
  nextAttempt: { yields: true },
  priority: {
    id: "Prioritas",
    sent: ["planner", "level"],
    imported: { kind: "text", help: "low, normal, high or urgent" },
    exported: "later",
    yields: true,
    description: "low, normal, high or urgent",
  },
  tags: {
    id: "Tag",
    sent: ["planner", "tags"],
    imported: { kind: "text", help: "With commas between them" },
    exported: "later",
    yields: true,
    description: "Texts, at most 20; a text with commas is read as several",
  },
  organizationId: { en: "Organization ID", id: "ID Organisasi" },
  organization: {},
  isDeleted: { id: "Dihapus" },
  isSample: {},
  geoLock: { id: "Kunci Lokasi" },
  histories: { id: "Riwayat" },
  additions: { id: "Tambahan", yields: true },
  Handover: {},
  autoSplit: {},
  splitNumber: {},
  useVisitGroup: { id: "Pakai Grup Kunjungan" },
  automationRefId: {},
  automationRefType: {},
  subId: { id: "ID Subtugas" },
  workflow: { id: "Alur Kerja" },
  deviceInfo: { sent: ["phone", "details"], isFree: true },
  doneAccuracy: { id: "Akurasi Penyelesaian", sent: ["phone", "meters"], isFree: true },
  doneCoordinateTime: { id: "Waktu Koordinat Penyelesaian", sent: ["phone", "instant"], isFree: true },
  battery: { sent: ["phone", "details"], isFree: true },
  network: { sent: ["phone", "details"], isFree: true },
  inLocation: { sent: ["phone", "instant"], isFree: true },
  outLocation: { sent: ["phone", "instant"], isFree: true },
}

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

/** Languages that have titles of their own; Malay reads the Indonesian ones. Everything else is English. */
const indonesian: ReadonlySet<string> = new Set(["id", "ms"])

/** The title of a field of tasks, or of another catalogue, in files and lists: `startTime` is `Start Time`. */
export function fieldTitle(name: string, language: string, fields: typeof taskFields = taskFields): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const own = indonesian.has(language.toLowerCase().split("-")[0] ?? "") ? field?.id : undefined
  return own ?? field?.en ?? words(name)
}

function words(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ")
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
