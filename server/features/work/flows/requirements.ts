import type { Tx } from "#core/database/database.ts"
import type { FlowComponent } from "./component.ts"
import type { FlowRow } from "./queries.ts"

/** Selects and photos have no `required` key: a minimum above zero demands them. */
export function isRequired(component: FlowComponent): boolean {
  if (component.component === "select" || component.component === "photo")
    return Number(component.min ?? 0) > 0
  return component.required === true
}

/** Keeps what a version of a flow requires before it is replaced, for the tasks that were made with it. */
export async function keepRequirements(
  tx: Tx,
  { organizationId, id, version, pages }: FlowRow,
): Promise<void> {
  const required = pages.flatMap((page) => page.components).filter(isRequired)
  await tx`
    insert into task_requirements (organization_id, flow_id, flow_version, component_ids)
    values (${organizationId}, ${id}, ${version}, ${required.map((component) => component.id)})
    on conflict do nothing`
}

export interface Requirements {
  flowId: string
  flowVersion: number
  componentIds: string[]
}

/** What earlier versions of these flows required. */
export function findRequirements(
  tx: Tx,
  organizationId: string,
  flowIds: readonly string[],
): Promise<Requirements[]> {
  return tx<Requirements[]>`
    select flow_id, flow_version, component_ids from task_requirements
    where organization_id = ${organizationId} and flow_id = any (${flowIds as string[]})`
}
