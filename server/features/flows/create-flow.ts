import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database.ts"
import { type LiveEvents, publish } from "#core/events/live-events.ts"
import { checkFlow } from "./check-flow.ts"
import type { FlowPage } from "./component.ts"
import { defaultConfigurations } from "./default-flows.ts"
import { flowErrors } from "./errors.ts"
import { flowChanged } from "./events.ts"
import { type FlowRow, insertFlow } from "./queries.ts"
import type { FlowBody } from "./schemas.ts"

export async function createFlow(
  tx: Tx,
  caller: Caller,
  body: Static<typeof FlowBody>,
  live: LiveEvents,
): Promise<FlowRow> {
  const pages = body.pages as FlowPage[]
  const name = body.name.trim()
  checkFlow({ name, pages })
  const flow = await insertFlow(tx, caller, {
    name,
    pages,
    configurations: body.configurations ?? defaultConfigurations,
    isDefault: body.isDefault ?? false,
    orderIndex: body.orderIndex,
  })
  if (!flow) throw flowErrors.nameTaken()
  await publish(tx, live, flowChanged, {
    organizationId: caller.organizationId,
    content: { flowId: flow.id },
  })
  return flow
}
