import type { Permission } from "../permissions.ts"
import type { TrashType } from "../trash.ts"
import {
  type AuditedObject,
  type Columns,
  eachById,
  toBody,
  type Undoing,
  type UndoStep,
} from "./audited-object.ts"

interface SettingsObject {
  type: string
  table: string
  /** The route that changes one (`PUT`) and deletes it, without the id. */
  path: string
  method?: "PUT" | "PATCH"
  view?: Permission
  trashType?: TrashType
  /** The columns that the body of the route has, under its names; or the body. */
  columns?: readonly string[]
  body?(row: Columns): object
  /** Where there is no trash: what putting back one that was deleted takes. */
  putBack?: { permission?: Permission; complete?(row: Columns): Columns }
  afterRestore?: Undoing["afterRestore"]
  unrouted?: Undoing["unrouted"]
  byRow?: Undoing["byRow"]
  /** Why it cannot have its earlier values again. */
  refuse?(before: Columns, row: Columns): string | undefined
  isVisible?: AuditedObject["isVisible"]
}

/** A kind of object that one route replaces and another deletes, such as roles and geofences. */
export function settingsObject(kind: SettingsObject): AuditedObject {
  const { type, table, path, method = "PUT", view, trashType, columns = [] } = kind
  const { putBack, afterRestore, unrouted, byRow } = kind
  const bodyOf = kind.body ?? ((row) => toBody(pick(row, columns)))
  return {
    type,
    ...(view && { viewPermission: view }),
    ...(trashType && { trashType }),
    // Parts say which hub they are about, and that is checked for all kinds.
    isVisible: kind.isVisible ?? ((sql) => sql`true`),
    undo: {
      table,
      revert: (objects) =>
        objects.map(({ id, before, row }) => {
          const refusal = kind.refuse?.(before, row)
          if (refusal !== undefined) return { refusal, ids: [id] }
          return changeBack(id, before, { method, path: `${path}/${id}` }, (kept) =>
            bodyOf({ ...row, ...kept }),
          )
        }),
      remove: (ids) =>
        eachById(
          ids.map((id) => ({ id })),
          ({ id }) => ({ method: "DELETE", path: `${path}/${id}` }),
        ),
      ...(putBack && { putBack }),
      ...(afterRestore && { afterRestore }),
      ...(unrouted && { unrouted }),
      ...(byRow && { byRow }),
    },
  }
}

interface SettingsOnce {
  type: string
  table: string
  /** The route that replaces them. */
  path(id: string): string
  idColumn: "id" | "organization_id" | "flow_id"
  view: Permission
  body(row: Columns): object
  /** What applies while nothing was saved. */
  initial: object
}

/** Settings that an organization or a flow has once: the first ones are undone by saving those that applied before. */
export function settingsOnce({
  type,
  table,
  path,
  idColumn,
  view,
  body,
  initial,
}: SettingsOnce): AuditedObject {
  const method = "PUT"
  return {
    type,
    viewPermission: view,
    isVisible: (sql) => sql`true`,
    undo: {
      ...{ table, idColumn },
      revert: (objects) =>
        objects.map(({ id, before, row }) =>
          changeBack(id, before, { method, path: path(id) }, (kept) => body({ ...row, ...kept })),
        ),
      remove: (ids) =>
        eachById(
          ids.map((id) => ({ id })),
          ({ id }) => ({ method, path: path(id), body: initial }),
        ),
    },
  }
}

/** As the audit trail has values that it does not keep. */
const hidden = "…"

function changeBack(
  id: string,
  before: Columns,
  route: { method: "PUT" | "PATCH"; path: string },
  bodyOf: (kept: Columns) => object,
): UndoStep {
  const kept = Object.fromEntries(Object.entries(before).filter(([, value]) => value !== hidden))
  if (Object.keys(kept).length === 0 && Object.keys(before).length > 0)
    return { refusal: "The earlier value is secret and was not kept", ids: [id] }
  return { ...route, body: bodyOf(kept), ids: [id] }
}

/** These columns of a row. */
export function pick(row: Columns, columns: readonly string[]): Columns {
  return Object.fromEntries(columns.map((column) => [column, row[column]]))
}
