import { isDeepStrictEqual } from "node:util"
import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, json, type Tx } from "#core/database/database.ts"
import { unstorablePart } from "#core/database/storable-json.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { moveToTrash } from "#core/trash.ts"
import { findDataTypes } from "../data-types/index.ts"
import { checkConfigurations, readDataSources } from "./check-configurations.ts"
import { checkFlow } from "./check-flow.ts"
import type { FlowConfiguration, FlowPage } from "./component.ts"
import { defaultConfigurations } from "./defaults/default-flows.ts"
import { flowErrors } from "./errors.ts"
import { findFlowLog, insertFlowLogs } from "./flow-logs.ts"
import { type FlowRow, flowColumns, insertFlow, lockFlow, toWireFlow } from "./queries.ts"
import { keepRequirements } from "./requirements.ts"
import type { FlowBody } from "./schemas.ts"
import { checkSubFlows } from "./sub-flows.ts"

type Body = Static<typeof FlowBody>

/** The largest flow as JSON: flows travel whole with every list of them. */
const maxBytes = 4 * 1024 ** 2

export async function createFlow(tx: Tx, caller: Caller, body: Body, live: LiveEvents): Promise<FlowRow> {
  const wanted = await readBody(tx, caller, body, { configurations: defaultConfigurations, pages: [] })
  const flow = await insertFlow(tx, caller, {
    ...wanted,
    isDefault: body.isDefault ?? false,
    orderIndex: body.orderIndex,
  })
  if (!flow) throw flowErrors.nameTaken()
  const rawData = { ...body, organizationId: caller.organizationId, version: 1, createdBy: caller.email }
  const changeData = toWireFlow(flow)
  await insertFlowLogs(tx, caller, [{ flowId: flow.id, action: "create", version: 1, rawData, changeData }])
  await announce(tx, caller, flow.id, live)
  return flow
}

/** Replaces a flow's name, pages and configurations; the last stay when they are not sent. */
export async function replaceFlow(
  tx: Tx,
  caller: Caller,
  flowId: string,
  body: Body,
  live: LiveEvents,
): Promise<FlowRow> {
  const before = await lockFlow(tx, caller, flowId)
  if (!before) throw flowErrors.notFound()
  const wanted = await readBody(tx, caller, body, before)
  const { isDefault = before.isDefault, orderIndex = before.orderIndex } = body
  return writeFlow(tx, caller, before, { ...wanted, isDefault, orderIndex }, live)
}

/** Deletes a flow and keeps it in the trash. Its tasks stay. */
export async function deleteFlow(tx: Tx, caller: Caller, flowId: string, live: LiveEvents): Promise<FlowRow> {
  const flow = await lockFlow(tx, caller, flowId)
  if (!flow) throw flowErrors.notFound()
  const rows = await tx<{ content: unknown }[]>`
    delete from flows where organization_id = ${caller.organizationId} and id = ${flow.id}
    returning to_jsonb(flows) as content`
  await moveToTrash(tx, caller, [
    { type: "Flow", name: flow.name, sourceId: flow.id, content: rows[0]?.content },
  ])
  await announce(tx, caller, flow.id, live)
  return flow
}

/**
 * Brings back the state of a flow before a logged change, as a new version. Mappings of data types that are
 * gone since are left out: the rest of the flow still works.
 */
export async function restoreFlow(
  tx: Tx,
  caller: Caller,
  flowId: string,
  flowLogId: string,
  live: LiveEvents,
): Promise<FlowRow> {
  const before = await lockFlow(tx, caller, flowId)
  const log = before && (await findFlowLog(tx, caller, flowId, flowLogId))
  if (!before || !log) throw flowErrors.notFound()
  const { name, pages, configurations = defaultConfigurations } = log.rawData as Body
  const kept = await withoutMissingTypes(tx, caller, configurations)
  const earlier = { configurations: [], pages: [...before.pages, ...(pages as FlowPage[])] }
  const wanted = await readBody(tx, caller, { name, pages, configurations: kept }, earlier)
  return writeFlow(tx, caller, before, { ...before, ...wanted }, live)
}

export interface WantedFlow {
  name: string
  pages: readonly FlowPage[]
  configurations: readonly FlowConfiguration[]
  isDefault: boolean
  orderIndex: number
}

/** Writes a checked flow as its next version, with its log. What changes nothing, such as a repeated call, makes none. */
export async function writeFlow(
  tx: Tx,
  caller: Caller,
  before: FlowRow,
  wanted: WantedFlow,
  live: LiveEvents,
): Promise<FlowRow> {
  if (isAsBefore(before, wanted)) return before
  await keepRequirements(tx, before)
  const after = await refuseTakenName(async () => {
    const rows = await tx<FlowRow[]>`
      update flows set name = ${wanted.name}, pages = ${json(tx, wanted.pages)}, configurations = ${json(tx, wanted.configurations)},
        is_default = ${wanted.isDefault}, order_index = ${wanted.orderIndex}, version = version + 1,
        updated_by = ${caller.email}, updated_time = now()
      where organization_id = ${caller.organizationId} and id = ${before.id}
      returning ${flowColumns(tx)}`
    return rows[0]
  })
  if (!after) throw new Error("a flow vanished in the transaction that locked it")
  await insertFlowLogs(tx, caller, [
    {
      flowId: after.id,
      action: "put",
      version: before.version,
      rawData: toWireFlow(before),
      changeData: toWireFlow(after),
    },
  ])
  await announce(tx, caller, after.id, live)
  return after
}

function isAsBefore(before: FlowRow, wanted: WantedFlow): boolean {
  const stateOf = ({ name, pages, configurations, isDefault, orderIndex }: WantedFlow) =>
    JSON.parse(JSON.stringify({ name, pages, configurations, isDefault, orderIndex })) as unknown
  return isDeepStrictEqual(stateOf(before), stateOf(wanted))
}

async function readBody(
  tx: Tx,
  caller: Caller,
  body: Body,
  before: Pick<WantedFlow, "configurations" | "pages">,
): Promise<Pick<WantedFlow, "name" | "pages" | "configurations">> {
  const flow = {
    name: body.name.trim(),
    pages: body.pages as FlowPage[],
    configurations: (body.configurations as FlowConfiguration[] | undefined) ?? before.configurations,
  }
  const unstorable = unstorablePart(flow)
  if (unstorable) throw flowErrors.badStructure({ message: `The flow ${unstorable}` })
  if (Buffer.byteLength(JSON.stringify(flow)) > maxBytes)
    throw flowErrors.badStructure({ message: "The flow must not be larger than 4 MB" })
  checkFlow(flow, before.pages)
  await checkConfigurations(tx, caller, flow)
  await checkSubFlows(tx, caller, flow)
  return flow
}

async function withoutMissingTypes(
  tx: Tx,
  caller: Caller,
  configurations: readonly FlowConfiguration[],
): Promise<FlowConfiguration[]> {
  const typeIds = readDataSources(configurations).map((source) => source.typeId)
  const there = new Set<string>((await findDataTypes(tx, caller, typeIds)).map((type) => type.id))
  return configurations.map((configuration) =>
    configuration.id === "dataSource" && Array.isArray(configuration.list)
      ? { ...configuration, list: configuration.list.filter(({ typeId }) => there.has(typeId.toLowerCase())) }
      : configuration,
  )
}

async function refuseTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "flows_name") throw flowErrors.nameTaken({ cause: error })
    throw error
  }
}

export async function announce(tx: Tx, caller: Caller, flowId: string, live: LiveEvents): Promise<void> {
  await publish(tx, live, "flow.changed", {
    organizationId: caller.organizationId,
    content: { flowId },
  })
}
