/** What this tab has changed, by the ids that responses carry. The newest is last. */
interface RecentAction {
  id: string
  time: number
  /** Whether a notification has offered to undo it. */
  isOffered: boolean
  /** The keyboard undoes what was done before, not its own undoing. */
  isUndo: boolean
}

/** How long the server undoes actions. */
const undoMilliseconds = 10 * 60_000
/** Kept in all. */
const maxKept = 50

let actions: RecentAction[] = []

/** Kinds of which one is made, changed and deleted under the same path (server/audited-settings.ts, audited-rows.ts). */
const kinds = [
  ...["user", "member", "role", "team", "password-polic(y|ies)", "data-type", "automation", "alert-rule"],
  ...["geofence", "geotagging", "configuration", "capacity-constraint", "export-config", "view"],
  ...["report-schedule", "customer-message-(channel|template)", "request-form", "custom-module"],
  ...["equipment", "maintenance-(plan|entry)", "stock-(item|movement)", "organization", "message"],
  ...["location-link", "privacy-policy", "calendar-feed", "tracker", "app-integration", "oauth-client"],
  ...["plugin", "result", "token", "device-key", "scim-token", "oauth-grant"],
].join("|")
const hexId = "[0-9a-f]{24}"

const oneOfKind = new RegExp(`^/api/v3/(${kinds})(/${hexId})?$`)

/** Calls whose changes the server can undo. */
const undoable = [
  // Making a file changes nothing, nor does the preview of a schedule.
  /^\/api\/v3\/tasks?(\/(?!export|reports|schedule\/preview)|$)/,
  /^\/api\/v3\/task-(additions|attempts|claims|reviews)\//,
  /^\/api\/v3\/datas?(\/(?!import\/|export)|$)/,
  /^\/api\/v3\/vehicles?(\/|$)/,
  /^\/api\/v3\/(hub|flow)(\/|$)/,
  oneOfKind,
  new RegExp(
    `^/api/v3/(automation/${hexId}/(pause|resume)|(automation|oauth-client)/${hexId}/rotate-secret)$`,
  ),
  new RegExp(
    `^/api/v3/(request-form/${hexId}/new-link|slot/${hexId}/book|task-request/${hexId}/(approve|reject))$`,
  ),
  new RegExp(
    `^/api/v3/(vehicle-defect/${hexId}/resolve|app-integration/${hexId}/provisioning|plugin/${hexId}/installation)$`,
  ),
  new RegExp(`^/api/v3/result/${hexId}/(moves|help|reset|restore/\\d+|replan/${hexId}/accept)$`),
  /^\/api\/v3\/(location-settings|tracking-page-settings|customer-message-settings|customer-opt-out|road-speeds)$/,
  /^\/api\/v3\/(reports|audit-log)\/settings$/,
  /^\/api\/v3\/(dispatch|alerts\/acknowledge|geofences\/import|location-history\/generate-token)$/,
  /^\/api\/v3\/trash\//,
  // An undo can be undone.
  /^\/api\/v3\/action\/[^/]+\/undo$/,
]

/** Notes a response to a change; reads and what cannot be undone are passed over. */
export function noteResponse(request: Request, response: Response): void {
  const id = response.headers.get("x-action-id")
  if (id === null || !response.ok) return
  const { pathname } = new URL(request.url)
  if (undoable.some((pattern) => pattern.test(pathname))) note(id, pathname.startsWith("/api/v3/action/"))
}

/** Imports run on after their upload: until they have ended, undoing would miss some of their rows. */
const importActions = new Map<string, string>()

/** Notes an upload that makes or changes one object, or begins an import. */
export function noteUpload(path: string, id: string | null, response: unknown): void {
  if (id === null) return
  if (oneOfKind.test(path)) note(id, false)
  const { data } = (response ?? {}) as { data?: { _id?: string } }
  if (path.startsWith("/api/v3/data/import?") && data?._id) importActions.set(data._id, id)
}

/** Notes the action of an import that this window began and that has ended; false for another one, and the second time. */
export function noteImport(importId: string): boolean {
  const id = importActions.get(importId)
  if (id === undefined) return false
  importActions.delete(importId)
  note(id, false)
  return true
}

function note(id: string, isUndo: boolean): void {
  actions = [...actions, { id, time: Date.now(), isOffered: false, isUndo }].slice(-maxKept)
}

/** Takes the newest action that can still be undone, for the keyboard. */
export function takeNewest(): string | undefined {
  const newest = actions.findLast(({ isUndo }) => !isUndo)
  if (!newest) return undefined
  actions = actions.filter((action) => action !== newest)
  return Date.now() - newest.time < undoMilliseconds ? newest.id : undefined
}

/** The actions that no notification has offered to undo yet; they count as offered from here on. */
export function takeUnoffered(): string[] {
  const open = actions.filter(({ isOffered }) => !isOffered)
  actions = actions.map((action) => ({ ...action, isOffered: true }))
  return open.map(({ id }) => id)
}

export function countUnoffered(): number {
  return actions.filter(({ isOffered }) => !isOffered).length
}

/** Actions that were undone are no longer what the keyboard undoes. */
export function removeActions(ids: readonly string[]): void {
  actions = actions.filter(({ id }) => !ids.includes(id))
}
