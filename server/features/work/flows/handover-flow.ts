import type { Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { defaultConfigurations } from "./defaults/default-flows.ts"

/** Reserved: people can make neither a flow nor a task of this name. */
export const handoverFlowName = "Handover"

const input = (id: string, title: string, type: string, more = {}) => ({
  id,
  component: "input",
  type,
  title,
  visible: true,
  required: false,
  ...more,
})

const pages = [
  {
    id: "page0",
    title: "Handover",
    enabled: true,
    components: [
      input("handoverFrom", "Handover From", "String", { showAs: "title" }),
      input("handoverAddress", "Address", "Address", { showAs: "content" }),
      input("handoverPoint", "Coordinate", "Geolocation", { showAs: "expectedCoordinate" }),
      {
        id: "listOrder",
        component: "list",
        type: "quantity",
        title: "List Order",
        visible: true,
        addNew: false,
      },
    ],
  },
  { id: "page1", title: "Received", components: [input("handoverTo", "Handover To", "String")] },
]

/** The flow of goods that change hands at a sub-hub, made when the organization has none yet. */
export async function ensureHandoverFlow(
  tx: Tx,
  owner: { organizationId: string; email: string },
): Promise<void> {
  await tx`
    insert into flows (organization_id, id, name, pages, configurations, is_default, order_index, created_by)
    select ${owner.organizationId}, ${newId()}, ${handoverFlowName}, ${JSON.stringify(pages)}::text::jsonb,
      ${JSON.stringify(defaultConfigurations)}::text::jsonb, false,
      coalesce((select max(order_index) from flows where organization_id = ${owner.organizationId}), 0) + 1, ${owner.email}
    where not exists (select from flows where organization_id = ${owner.organizationId} and name = ${handoverFlowName})
    on conflict (organization_id, name) do nothing`
}
