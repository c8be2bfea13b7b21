import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { newIds } from "#core/ids.ts"
import {
  type DataTypeRow,
  type ReadFields,
  readFields,
  readPrimaryKey,
  type ValueProblem,
  type ValueSource,
} from "../data-types/index.ts"
import { emitRecords, publishRecords } from "./events.ts"
import { type Limit, readLimit } from "./find/limit-user.ts"
import { findWritten } from "./queries.ts"
import {
  findStored,
  insertRecords,
  keyOf,
  type NewWrite,
  type Stored,
  updateRecords,
  type Write,
} from "./store-records.ts"
import { createdRecordJson } from "./wire.ts"

export type WriteMode = "create" | "upsert" | "update"

/** A record to write: its key, its hub where the type is not common, and values by field id. */
export interface RecordInput {
  dataId?: unknown
  hubId?: string | null | undefined
  limitUser?: unknown
  [fieldId: string]: unknown
}

export interface WriteOptions {
  mode: WriteMode
  live: LiveEvents
  now: Temporal.Instant
  /** `file` reads cells as people type them. Default `api`. */
  source?: ValueSource
  /**
   * A key that occurs twice: `refuse` lets the first through and refuses the later ones (always so when
   * creating); `apply` writes them one after the other. Default `apply`.
   */
  repeats?: "refuse" | "apply"
  /** Keys of earlier calls of the same file, for `repeats: "refuse"`; the call adds its own. */
  seenKeys?: Set<string>
}

export type Outcome =
  | { event: "create" | "update"; id: string; dataId: string; hubId: string | null }
  | { problems: ValueProblem[] }

interface Candidate {
  index: number
  input: RecordInput
  dataId: string
  hubId: string | null
}

/**
 * Checks rows by their type and writes the good ones, in a handful of statements for any number of rows;
 * a refused row does not keep the others from being written. The response has one outcome a row, in order.
 *
 * `type` must be held by `holdDataTypes` in the same transaction. A row without `hubId` needs a common
 * type. On update, fields that a row does not have stay as they are.
 */
export async function writeRecords(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  rows: readonly RecordInput[],
  options: WriteOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = new Array(rows.length)
  const knownHubs = type.commonData ? new Set<string>() : await existingHubs(tx, caller, rows)
  const candidates: Candidate[] = []
  for (const [index, input] of rows.entries()) {
    const read = readKeys(caller, type, input, knownHubs)
    if ("problem" in read) outcomes[index] = refusedKey(type, input, read.problem, options)
    else candidates.push({ index, input, ...read })
  }
  for (const round of roundsOf(candidates, outcomes, type, options))
    await writeRound(tx, caller, type, round, outcomes, options)
  const written = outcomes.flatMap((outcome) =>
    "id" in outcome ? [{ ...outcome, dataTypeId: type.id }] : [],
  )
  const { live } = options
  for (const [event, kind] of [["create", "data.created"] as const, ["update", "data.updated"] as const]) {
    const of = written.filter((record) => record.event === event)
    await publishRecords(tx, live, kind, caller.organizationId, of)
  }
  return outcomes
}

export async function existingHubs(
  tx: Tx,
  caller: Caller,
  rows: readonly Pick<RecordInput, "hubId">[],
): Promise<Set<string>> {
  const wanted = [...new Set(rows.map((row) => String(row.hubId ?? "").toLowerCase()))]
  const hubs = await tx<{ id: string }[]>`
    select id from hubs where organization_id = ${caller.organizationId} and id = any (${wanted}) for key share`.reusePlan()
  return new Set(hubs.map((hub) => hub.id))
}

type Keys = { dataId: string; hubId: string | null }

function readKeys(
  caller: Caller,
  type: DataTypeRow,
  input: RecordInput,
  knownHubs: ReadonlySet<string>,
): Keys | { problem: ValueProblem } {
  const hub = readHub(caller, type, input, knownHubs)
  if ("problem" in hub) return hub
  const key = readPrimaryKey(input.dataId)
  return "reason" in key ? { problem: keyProblem(type, key) } : { dataId: key.value, ...hub }
}

/** The hub that a record is to have, or why it cannot. */
export function readHub(
  caller: Caller,
  type: DataTypeRow,
  input: Pick<RecordInput, "hubId">,
  knownHubs: ReadonlySet<string>,
): { hubId: string | null } | { problem: ValueProblem } {
  if (type.commonData) return { hubId: null }
  const hubId = String(input.hubId ?? "").toLowerCase()
  const reason =
    hubId === ""
      ? { code: "001", reason: "is required: records of this data type belong to a hub" }
      : knownHubs.has(hubId) && hasHub(caller, hubId)
        ? undefined
        : { code: "034", reason: "does not exist, or is not one of your hubs" }
  return reason ? { problem: { fieldId: "hubId", title: "hubId", ...reason } } : { hubId }
}

export function keyProblem(type: DataTypeRow, outcome: { code: string; reason: string }): ValueProblem {
  const title = type.fields.find((field) => field.primaryKey)?.title ?? "dataId"
  return { fieldId: "dataId", title, ...outcome }
}

/** A row without a usable key: what else is wrong with it is said too, so that a file is mended in one go. */
function refusedKey(
  type: DataTypeRow,
  input: RecordInput,
  problem: ValueProblem,
  options: WriteOptions,
): Outcome {
  const stage = options.mode === "update" ? "change" : "create"
  return { problems: [problem, ...readFields(type.fields, input, stage, options.source).problems] }
}

/** Rows with one key are written in the order given: each round has every key at most once. */
function roundsOf(
  candidates: readonly Candidate[],
  outcomes: Outcome[],
  type: DataTypeRow,
  options: WriteOptions,
): Candidate[][] {
  const refusesRepeats = options.mode === "create" || options.repeats === "refuse"
  const times = new Map<string, number>()
  const rounds: Candidate[][] = []
  for (const candidate of candidates) {
    const key = keyOf(candidate)
    const before = times.get(key) ?? (options.seenKeys?.has(key) ? 1 : 0)
    times.set(key, before + 1)
    options.seenKeys?.add(key)
    if (before > 0 && refusesRepeats) {
      const reason = options.source === "file" ? "is repeated in the file" : "is repeated in the call"
      outcomes[candidate.index] = { problems: [keyProblem(type, { code: "031", reason })] }
      continue
    }
    const round = options.seenKeys ? 0 : before
    rounds[round] ??= []
    rounds[round].push(candidate)
  }
  return rounds
}

async function writeRound(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  round: readonly Candidate[],
  outcomes: Outcome[],
  options: WriteOptions,
): Promise<void> {
  const stored = await storedOf(tx, caller, type, round, options)
  const inserts: NumberedWrite[] = []
  const updates: NumberedWrite[] = []
  for (const candidate of round) {
    const existing = stored.get(keyOf(candidate))
    const refusal = refuseByMode(type, existing, options)
    const isNew = existing === undefined
    const read = isNew
      ? readNew(type, candidate, options)
      : readFields(type.fields, candidate.input, "change", options.source)
    const limit = readLimit(candidate.input.limitUser)
    const ofValues = [...read.problems, ...("problem" in limit ? [limit.problem] : [])]
    // The first problem gives the code of the response: what the values are comes before whether their key is free.
    const isTaken = refusal?.code === "031"
    const problems = refusal ? (isTaken ? [...ofValues, refusal] : [refusal, ...ofValues]) : ofValues
    if (problems.length > 0) {
      outcomes[candidate.index] = { problems }
      continue
    }
    const write = toWrite(candidate, read, limit, existing?.id)
    ;(isNew ? inserts : updates).push(write)
  }
  const inserted = await insertRecords(tx, caller, type, numbered(inserts, options.now), options)
  const made: Write[] = []
  for (const write of inserts) {
    const done = inserted.get(keyOf(write))
    if (done?.isNew) made.push(write)
    outcomes[write.index] = done
      ? { event: done.isNew ? "create" : "update", id: done.id, dataId: write.dataId, hubId: write.hubId }
      : { problems: [keyProblem(type, { code: "031", reason: "already exists" })] }
  }
  await emitCreated(tx, caller, type, made, options)
  await updateRecords(tx, caller, updates, options.now)
  const changed = [...updates.map(({ id }) => id), ...inserts.flatMap((write) => foundId(inserted, write))]
  if (changed.length > 0)
    await emitRecords(tx, options.live, "onRecordUpdated", await findWritten(tx, caller, changed))
  for (const write of updates)
    outcomes[write.index] = { event: "update", id: write.id, dataId: write.dataId, hubId: write.hubId }
}

/** The record that another call made first, which the insert then changed. */
function foundId(inserted: ReadonlyMap<string, { id: string; isNew: boolean }>, write: Write): string[] {
  const done = inserted.get(keyOf(write))
  return done && !done.isNew ? [done.id] : []
}

/**
 * The records of these keys that are there. When creating, the insert itself meets the key of a good row, so
 * only rows that are refused anyway are looked up, to report all their errors.
 */
async function storedOf(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  round: readonly Candidate[],
  options: WriteOptions,
): Promise<Map<string, Stored>> {
  const asked =
    options.mode === "create"
      ? round.filter((candidate) => readNew(type, candidate, options).problems.length > 0)
      : round
  const records = await findStored(tx, caller, type, asked)
  return new Map(records.map((record) => [keyOf(record), record]))
}

function readNew(type: DataTypeRow, { input }: Candidate, { source }: WriteOptions): ReadFields {
  return readFields(type.fields, input, "create", source)
}

/** Publishes events for records that were just created. */
export async function emitCreated(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  made: readonly NewWrite[],
  { live, now }: Pick<WriteOptions, "live" | "now">,
): Promise<void> {
  if (made.length === 0) return
  const json = createdRecordJson(type, caller, now)
  const events = made.map((write) => ({
    referenceId: write.id,
    hubId: write.hubId,
    recordJson: json(write),
  }))
  await emit(tx, live, caller.organizationId, "onDataSourceCreated", events)
}

function refuseByMode(
  type: DataTypeRow,
  existing: Stored | undefined,
  { mode }: WriteOptions,
): ValueProblem | undefined {
  if (mode === "create" && existing) return keyProblem(type, { code: "031", reason: "already exists" })
  if (mode === "update" && !existing) return keyProblem(type, { code: "033", reason: "does not exist" })
  if (existing && !existing.isVisible)
    return keyProblem(type, { code: "035", reason: "is restricted to other users" })
  return undefined
}

interface NumberedWrite extends Write {
  index: number
}

function toWrite(
  candidate: Candidate,
  read: ReadFields,
  limit: Limit,
  id: string | undefined,
): NumberedWrite {
  return {
    id: id ?? "",
    index: candidate.index,
    dataId: candidate.dataId,
    hubId: candidate.hubId,
    values: read.values,
    valuesJson: JSON.stringify(read.values),
    orderedJson: JSON.stringify(read.ordered),
    cleared: read.cleared,
    limitUser: "emails" in limit ? limit.emails : undefined,
  }
}

/**
 * Gives new records their ids and returns them in the order of their keys. Two calls that bring the same keys so
 * wait for each other instead of deadlocking, and the indexes by id and by key both grow in order.
 */
export function numbered<Insert extends NewWrite>(
  inserts: readonly Insert[],
  now: Temporal.Instant,
): Insert[] {
  const ids = newIds(inserts.length, now.epochMilliseconds)
  const keyed = inserts.map((write) => ({ write, key: keyOf(write) }))
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1))
  return keyed.map(({ write }, place) => {
    write.id = ids[place] ?? ""
    return write
  })
}
