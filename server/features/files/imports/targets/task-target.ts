import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { type Cell, isBlankCell } from "#packages/spreadsheets/cell.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import { typedValue } from "#shared/values.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findAssignable } from "../../../people/users/index.ts"
import { type FlowComponent, type FlowRow, findFlow, inputTypeOf } from "../../../work/flows/index.ts"
import {
  createTasks,
  patchTask,
  readValues,
  removeUntouchedTasks,
  restoreUntouchedTasks,
  snapshotTasks,
  type TaskBody,
} from "../../../work/tasks/index.ts"
import { cellToInstant, numberOrText, type Reading } from "../rows/cell-values.ts"
import { type ItemGroup, taskKeyId } from "../rows/item-columns.ts"
import { costFields, itemGroups } from "../rows/item-fields.ts"
import { readItems } from "../rows/read-items.ts"
import type { ImportMode } from "../settings.ts"
import {
  completeFromSources,
  readTaskSources,
  type TaskSource,
  withoutDemands,
} from "./complete-from-sources.ts"
import { findTasksByKey, type KeyedTask, taskChanges } from "./existing-tasks.ts"
import { lookedUpCoordinates, sendGeocoding } from "./geocode-tasks.ts"
import { readOptionalFields } from "./optional-fields.ts"
import type { ImportField, Line, Outcome, RowProblem, Target, WriteContext } from "./target.ts"
import { importedComponents, taskFields, unitsOf } from "./task-fields.ts"
import { checkPlace, checkVisit, visitFields, visitKeys } from "./visit-fields.ts"

export interface TaskTargetSettings {
  flowId: string
  hubId: string
  mode: ImportMode
  reading: Reading
  /** Visits have routing columns and rules of their own. */
  isVisit: boolean
}

/** What one line asks for: a body as a single call would send it, and what is wrong with it so far. */
export interface Draft {
  line: Line
  key: string
  body: TaskBody & Record<string, unknown>
  problems: RowProblem[]
  /** Components that an unknown record should have filled: that they are empty is no problem of its own. */
  unfilled: Set<string>
  isOrphan?: boolean // Items without a task: nothing else is there to be wrong.
}

/** Rows become tasks of a flow. Undefined when the flow does not exist. */
export async function taskTarget(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  settings: TaskTargetSettings,
): Promise<Target | undefined> {
  const flow = await findFlow(sql, caller, settings.flowId)
  if (!flow || flow.name === "Handover") return undefined
  const sources = await readTaskSources(sql, caller, flow)
  const fields = withoutDemands(settings.isVisit ? visitFields(flow) : taskFields(flow), sources)
  const groups = itemGroups(flow)
  return {
    fields,
    itemGroups: groups,
    keyId: taskKeyId,
    name: flow.name,
    ...(settings.mode === "create"
      ? {}
      : { uniqueKey: (line: Line) => cellToText(line.cell(taskKeyId)) || undefined }),
    ...(lookedUpCoordinates(flow, settings.isVisit).length === 0
      ? {}
      : {
          finish: (tx: Tx, { caller, importId }: WriteContext) =>
            sendGeocoding(tx, caller.organizationId, importId),
        }),
    write: (tx, lines, context) =>
      writeTasks(tx, lines, context, { ...settings, flow, fields, groups, sources }),
    removeCreated: (tx, ids, writtenTime, { caller, live }) =>
      removeUntouchedTasks(tx, caller, ids, writtenTime, live),
    restoreChanged: (tx, changed, writtenTime, { caller, now, live }) =>
      restoreUntouchedTasks(tx, caller, changed, writtenTime, { now, live }),
  }
}

export interface TaskWriting extends TaskTargetSettings {
  flow: FlowRow
  fields: readonly ImportField[]
  groups: readonly ItemGroup[]
  sources: readonly TaskSource[]
}

async function writeTasks(
  tx: Tx,
  lines: readonly Line[],
  context: WriteContext,
  writing: TaskWriting,
): Promise<Outcome[]> {
  const drafts = lines.map((line) => readDraft(line, context, writing))
  return writeDrafts(tx, drafts, context, writing)
}

/** The later half: people, existing tasks by key, then creating and changing. */
export async function writeDrafts(
  tx: Tx,
  drafts: readonly Draft[],
  context: WriteContext,
  writing: TaskWriting,
): Promise<Outcome[]> {
  await checkPeople(tx, drafts, context.caller, writing)
  const existing =
    writing.mode === "create"
      ? undefined
      : await findTasksByKey(
          tx,
          context.caller,
          drafts.map(({ key }) => key),
        )
  await completeFromSources(tx, context.caller, drafts, existing, writing)
  if (writing.isVisit) for (const draft of drafts) checkPlace(draft, writing.flow, writing.fields)
  const outcomes = new Map<Draft, Outcome>()
  const fresh: Draft[] = []
  const named = new Set<string>()
  for (const draft of drafts) {
    if (draft.isOrphan) {
      outcomes.set(draft, { kind: "refused", problems: draft.problems })
      continue
    }
    const task = existing?.get(draft.key)
    checkKey(draft, task, writing.mode)
    // Two rows may name one task, by its id and by its refId.
    if (task && named.has(task.id))
      draft.problems.unshift({ column: "ID", value: draft.key, reason: "is repeated in the file" })
    else if (task) named.add(task.id)
    if (draft.problems.length > 0 || !task) {
      fresh.push(draft)
      continue
    }
    outcomes.set(draft, await changeTask(tx, draft, task, context, writing))
  }
  const sound = fresh.filter(({ problems }) => problems.length === 0)
  const created = await createTasks(
    tx,
    context.caller,
    sound.map(({ body }) => body),
    { now: context.now, live: context.live },
  )
  for (const [index, draft] of sound.entries()) {
    const made = created[index]
    if (made && "task" in made) outcomes.set(draft, { kind: "created", id: made.task.id })
    else outcomes.set(draft, { kind: "refused", problems: problemsOf(made?.refusal, draft, writing.fields) })
  }
  return drafts.map((draft) => outcomes.get(draft) ?? refuse(draft, writing))
}

function readDraft(line: Line, context: WriteContext, writing: TaskWriting): Draft {
  const { flow, hubId, reading, fields, groups } = writing
  const { items, problems, isOrphan } = readItems(line, groups, reading)
  const problem = (fieldId: string, reason: string) => {
    const column = fields.find(({ id }) => id === fieldId)?.title ?? fieldId
    problems.push({ column, value: cellToText(line.cell(fieldId)), reason })
  }
  if (isOrphan) return orphan(line, flow, hubId)
  const values: Record<string, unknown> = Object.fromEntries(items)
  for (const component of importedComponents(flow)) {
    const cell = line.cell(component.id)
    if (!isBlankCell(cell)) values[component.id] = componentValue(component, cell, reading)
    const unit =
      component.useUnit === true
        ? unitOf(component, cellToText(line.cell(`${component.id}_unit`)))
        : undefined
    if (unit === null) problem(`${component.id}_unit`, "is not an allowed option")
    else if (unit !== undefined && component.id in values) values[`${component.id}_unit`] = unit
  }
  for (const { id, title } of costFields(flow)) {
    const cell = line.cell(id)
    if (isBlankCell(cell)) continue
    const amount = numberOrText(cell, reading)
    if (typeof amount === "number" && amount >= 0) values[id] = amount
    else {
      const reason = typeof amount === "number" ? "must be 0 or more" : "must be a number"
      problems.push({ column: title, value: cellToText(cell), reason })
    }
  }
  const times: { startTime?: string; endTime?: string } = {}
  for (const id of ["startTime", "endTime"] as const) {
    const cell = line.cell(id)
    if (isBlankCell(cell)) continue
    const instant = cellToInstant(cell, reading)
    if (instant) times[id] = toT1(instant)
    else problem(id, "must be a date and time, for example 2031-05-04 09:30:00")
  }
  if (times.startTime && times.endTime && times.endTime <= times.startTime)
    problem("endTime", "must be after Start Time")
  if (writing.isVisit) checkVisit(line, flow, reading, problem)
  const key = cellToText(line.cell(taskKeyId))
  if (key.length > 255) problem(taskKeyId, "must not be longer than 255 characters")
  const assignee = cellToText(line.cell("assignee"))
    .split(/[,;\s]+/)
    .filter((email) => email !== "")
    .map((email) => email.toLowerCase())
  const body: Draft["body"] = {
    ...values,
    ...times,
    ...readOptionalFields(line, fields, reading, problem),
    ...(writing.isVisit ? visitKeys(line) : {}),
    flow: flow.name,
    hubId: hubId as TaskBody["hubId"],
    createdFrom: "API",
    orderIndex: Math.floor(context.acceptedTime.epochMilliseconds / 1000) * 100_000 + line.index,
    ...(assignee.length > 0 ? { assignee } : {}),
    ...(key === "" ? {} : { refId: key }),
  }
  return { line, key, body, problems: inColumnOrder(problems, fields), unfilled: new Set() }
}

/** Items of a task that the main sheet does not have. */
function orphan(line: Line, flow: FlowRow, hubId: string): Draft {
  const key = cellToText(line.cell(taskKeyId))
  const reason = key === "" ? "is required" : "not found in the main sheet"
  return {
    line,
    key,
    body: { flow: flow.name, hubId: hubId as TaskBody["hubId"] },
    problems: [{ column: "ID", value: key, reason }],
    unfilled: new Set(),
    isOrphan: true,
  }
}

/** The value as a request would carry it; what a rule must refuse stays as the text that people see. */
export function componentValue(component: FlowComponent, cell: Cell, reading: Reading): unknown {
  if (component.component === "select") return typedValue(component, cellToText(cell))
  switch (inputTypeOf(component)) {
    case "Numeric":
    case "Currency":
      return numberOrText(cell, reading)
    case "Date":
      return cellToText(cell, "date")
    case "Datetime":
      return cellToText(cell, "dateTime")
    case "Time":
      return cellToText(cell, "time")
    default:
      return cellToText(cell)
  }
}

/** The unit in its own spelling, the first one when none is given, null for one that is not allowed. */
function unitOf(component: FlowComponent, text: string): string | null | undefined {
  const units = unitsOf(component)
  if (text === "") return units[0]
  return units.find((unit) => unit.toLowerCase() === text.toLowerCase()) ?? null
}

async function checkPeople(
  tx: Tx,
  drafts: readonly Draft[],
  caller: Caller,
  { hubId, fields }: TaskWriting,
): Promise<void> {
  const emails = [...new Set(drafts.flatMap(({ body }) => body.assignee ?? []))]
  if (emails.length === 0) return
  const people = await findAssignable(tx, caller.organizationId, emails, hubId)
  const members = new Set(people.filter(({ hasHub }) => hasHub).map(({ email }) => email))
  const column = fields.find(({ id }) => id === "assignee")?.title ?? "Assignee"
  for (const { body, line, problems } of drafts) {
    if (!(body.assignee ?? []).every((email) => members.has(email)))
      problems.push({ column, value: cellToText(line.cell("assignee")), reason: "is not a user of this hub" })
  }
}

function checkKey(draft: Draft, task: KeyedTask | undefined, mode: ImportMode): void {
  if (mode === "create") return
  const problem = (reason: string) => draft.problems.unshift({ column: "ID", value: draft.key, reason })
  if (mode === "update" && draft.key === "") problem("is required")
  else if (mode === "update" && !task) problem("does not exist")
}

async function changeTask(
  tx: Tx,
  draft: Draft,
  task: KeyedTask,
  context: WriteContext,
  writing: TaskWriting,
): Promise<Outcome> {
  const patch = taskChanges(task, draft, writing)
  if (patch === undefined) return { kind: "unchanged", id: task.id }
  const [snapshot] = await snapshotTasks(tx, context.caller, [task.id])
  try {
    await inTransaction(tx, (step) => patchTask(step, context.caller, task.id, patch, context))
    return { kind: "changed", id: task.id, before: snapshot?.before }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: "refused", problems: problemsOf(error, draft, writing.fields) }
  }
}

/** A line that has problems already: those that the flow's rules find besides, all in the order of the columns. */
function refuse(draft: Draft, { flow, fields, mode }: TaskWriting): Outcome {
  const { problems: more } = readValues(flow.pages, draft.body, mode === "update" ? "change" : "create")
  const found = [
    ...draft.problems,
    ...more
      .filter(({ component, reason }) => reason !== "is required" || !draft.unfilled.has(component.id))
      .map(({ component, reason }) => ({
        column: titleIn(fields, component.id),
        value: textOf(draft, component.id),
        reason,
      })),
  ]
  return { kind: "refused", problems: inColumnOrder(found, fields) }
}

/** A refusal by field in the words of the file's columns; one without fields is about the row. */
function problemsOf(
  refusal: AppError | undefined,
  draft: Draft,
  fields: readonly ImportField[],
): RowProblem[] {
  const known = Object.entries(refusal?.fields ?? {})
  if (known.length === 0)
    return [{ column: "", value: "", reason: refusal?.message ?? "the task could not be saved" }]
  const problems = known.flatMap(([id, reasons]) =>
    reasons.map((reason) => ({
      column: titleIn(fields, id),
      value: textOf(draft, id),
      reason: reason.replace("startTime", "Start Time"),
    })),
  )
  return inColumnOrder(problems, fields)
}

function titleIn(fields: readonly ImportField[], id: string): string {
  return fields.find((field) => field.id === id)?.title ?? id
}

function textOf(draft: Draft, fieldId: string): string {
  return cellToText(draft.line.cell(fieldId))
}

function inColumnOrder(problems: readonly RowProblem[], fields: readonly ImportField[]): RowProblem[] {
  const order = new Map(fields.map(({ title }, index) => [title, index]))
  return problems.toSorted((one, other) => (order.get(one.column) ?? -1) - (order.get(other.column) ?? -1))
}
