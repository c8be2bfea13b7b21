import type { Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { defaultFlows } from "./default-flow-pages.ts"

export { defaultFlows } from "./default-flow-pages.ts"

export const defaultConfigurations = [
  { id: "startTime", adjustment: 0 },
  { id: "endTime", adjustment: 24 },
]

function configurationsOf(outcomes: (typeof defaultFlows)[number]["outcomes"]): object[] {
  return outcomes ? [...defaultConfigurations, { id: "outcomes", list: outcomes }] : defaultConfigurations
}

/**
 * Gives a new organization the six flows of common field work, or those of them that are named. They can
 * be changed like any other. Returns the ids of what was made.
 */
export async function insertDefaultFlows(
  tx: Tx,
  owner: { organizationId: string; createdBy: string },
  names?: readonly string[],
): Promise<string[]> {
  const chosen = defaultFlows.filter((flow) => names === undefined || names.includes(flow.name))
  const ids = chosen.map(() => newId<"flow">())
  await tx`
    insert into flows (organization_id, id, name, pages, configurations, is_default, order_index, created_by)
    select ${owner.organizationId}, id, name, pages::jsonb, configurations::jsonb, true, order_index, ${owner.createdBy}
    from unnest(${ids}::text[], ${chosen.map((flow) => flow.name)}::text[],
      ${chosen.map((flow) => JSON.stringify(flow.pages))}::text[],
      ${chosen.map(({ outcomes }) => JSON.stringify(configurationsOf(outcomes)))}::text[]
    ) with ordinality as flow (id, name, pages, configurations, order_index)`
  return ids
}
