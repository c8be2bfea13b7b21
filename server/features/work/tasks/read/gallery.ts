import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type PageOptions, pickFields } from "#core/paging.ts"
import { type FlowRow, isRequired, listEveryFlow } from "../../flows/index.ts"
import { relatedColumns, taskColumns } from "../queries.ts"
import { type TaskRow, toWireTask } from "../wire.ts"
import { audienceOf, inAudience } from "./audience.ts"
import { resolveFilter } from "./filter-names.ts"
import { type TaskFilter, taskConditions } from "./list-query.ts"
import { sortExpression, type TaskOrder } from "./task-order.ts"

const shown =
  "_id,flow,hubId,status,startTime,endTime,title,content,flowId,assignedVehicle,label,doneBy,doneTime"
const photosLookedFor = 10

/**
 * A page of finished tasks that have a photo of a required photo component. They are found in the index of
 * tasks with photos, one more than the page to know whether it is the last; how many there are in all is
 * estimated by all finished tasks with photos.
 */
export async function listGallery(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter & { fields?: string },
  options: { order: TaskOrder; page: PageOptions; now: Temporal.Instant },
) {
  const resolved = await resolveFilter(sql, caller, filter)
  const { where } = taskConditions(sql, caller, resolved, options.now)
  const base = sql`tasks.organization_id = ${caller.organizationId} and has_photos and status = 'DONE'
    and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)} and ${inAudience(sql, await audienceOf(sql, caller))} and ${where}`
  const way = options.order.direction === "desc" ? sql`desc` : sql`asc`
  const required = hasRequiredPhoto(sql, await listEveryFlow(sql, caller))
  const [rows, counted] = await Promise.all([
    sql<TaskRow[]>`
      select tasks.*, ${relatedColumns(sql)} from (
        select ${taskColumns(sql)} from tasks where ${base} and ${required}
        order by ${sortExpression(sql, caller.organizationId, options.order.sortBy)} ${way}, id ${way}
        limit ${options.page.limit + 1} offset ${options.page.offset}
      ) tasks`,
    sql<{ total: number }[]>`select count(*) as total from tasks where ${base}`,
  ])
  const wires = rows.map((row) => toGalleryTask(row, filter.fields))
  return {
    current_page: options.page.page,
    data: wires.slice(0, options.page.limit),
    buffer: wires.slice(options.page.limit),
    page_processed: "1",
    last_page: rows.length <= options.page.limit,
    total_estimate: String(counted[0]?.total ?? 0),
    countProcessed: rows.length,
  }
}

function toGalleryTask(row: TaskRow, fields: string | undefined) {
  const photos = Object.keys(row.values).filter((key) => /_\d{1,3}_url$/.test(key))
  return pickFields(toWireTask(row), fields ?? [shown, ...photos].join(","), ["_id", "assignedVehicle"])
}

function hasRequiredPhoto(sql: Sql, flows: readonly FlowRow[]): Fragment {
  const conditions = flows.flatMap((flow) => {
    const keys = flow.pages
      .flatMap((page) => page.components)
      .filter((component) => component.component === "photo" && isRequired(component))
      .flatMap(({ id }) => Array.from({ length: photosLookedFor }, (_, index) => `${id}_${index}_url`))
    return keys.length === 0 ? [] : [sql`(flow_id = ${flow.id} and "values" ?| ${keys})`]
  })
  const either = conditions.reduce((sofar, condition) => sql`${sofar} or ${condition}`, sql`false`)
  return sql`(${either})`
}
