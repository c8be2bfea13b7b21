import { read } from "./checks.ts"
import type { Member } from "./company.ts"
import { everyFilter, orders } from "./query-checks.ts"
import type { Step } from "./step.ts"
import { must } from "./violation.ts"

type Row = Record<string, unknown>

/** Exported files have the rows of the list with the same query, in its order and with its values. */
export async function checkExports(step: Step): Promise<void> {
  const { random, company } = step
  await checkTaskExport(step, random.pick(company.planners))
  await checkRecordExport(step)
  await checkAuditExport(step)
}

async function checkTaskExport(step: Step, member: Member): Promise<void> {
  const { random } = step
  const filters = everyFilter(step).filter(({ query }) => !query.startsWith("refId"))
  const different = [...new Map(filters.map((filter) => [filter.query.split("=")[0], filter])).values()]
  const chosen = random.some(different, random.integer(0, 2)).map(({ query }) => query)
  const query = [...chosen, `sortBy=${random.pick(orders)}&sortOrder=${random.pick(["asc", "desc"])}`].join(
    "&",
  )
  const fields = ["_id", ...random.some(["siteName", "status", "boxes", "city", "note"], 2)]
  const { tasks } = (await read(step, member, `/tasks?${query}&limit=10000`)).json()
  const found = await exportedRows(step, member, "/tasks/export", {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...{ fields: fields.join(), limitTask: false },
  })
  compare(found, tasks.data, fields, `an exported file has the rows of the list (tasks)`, query)
}

async function checkRecordExport(step: Step): Promise<void> {
  const { random, company } = step
  const owner = company.members[0] as Member
  const { dataTypeId } = company
  const order = {
    sortBy: random.pick(["createdTime", "dataId"]),
    sortOrder: random.pick(["asc", "desc"]),
  }
  const query = new URLSearchParams({ dataTypeId, ...order, limit: "10000" })
  const { data } = (await read(step, owner, `/data?${query}`)).json().data
  const fields = ["dataId", "note"]
  const body = { dataTypeId, ...order, limit: -1, fields: fields.join() }
  const found = await exportedRows(step, owner, "/data/export", body)
  compare(found, data, fields, "an exported file has the rows of the list (records)", String(query))
}

/** The file has every entry of the list; what is written meanwhile may be in it, too. */
async function checkAuditExport(step: Step): Promise<void> {
  const owner = step.company.members[0] as Member
  const { total } = (await read(step, owner, "/audit-log?limit=1")).json().data as { total: number }
  const rows = (await read(step, owner, "/audit-log/export?download=json")).json() as Row[]
  const ids = new Set(rows.map(({ _id }) => _id))
  must(
    new Set(rows.map((row) => JSON.stringify(row))).size === rows.length,
    "an exported log has each entry once",
  )
  must(ids.size >= total, "an exported log has every entry", [ids.size, total])
}

function compare(
  found: readonly Row[],
  expected: readonly Row[],
  fields: readonly string[],
  rule: string,
  query: string,
): void {
  const lineOf = (row: Row) => fields.map((name) => String(row[name] ?? "")).join(" | ")
  const [lines, listed] = [found.map(lineOf), expected.map(lineOf)]
  const place = listed.findIndex((line, at) => line !== lines[at])
  must(lines.length === listed.length && place === -1, rule, [
    query,
    lines.length,
    listed.length,
    place,
    lines[place],
    listed[place],
  ])
}

/** The rows of the file of an export, which is made at once or in the background. */
async function exportedRows(step: Step, member: Member, path: string, options: object): Promise<Row[]> {
  const { world, random } = step
  const background = random.chance(0.3)
  const body = { ...options, download: "json", ...(background ? { background } : {}) }
  const reply = await world.ask(random, member, (calls) => calls.post(path, body))
  must(reply.statusCode === 200, "what is listed can be exported", reply.body.slice(0, 300))
  const { data } = reply.json() as { data: { link: string; fileName: string } }
  const link = background ? await finishedLink(step, member, data.fileName) : data.link
  const file = await world.node(random).app.inject(new URL(link).pathname + new URL(link).search)
  must(file.statusCode === 200, "an exported file can be downloaded", file.statusCode)
  return file.json() as Row[]
}

async function finishedLink(step: Step, member: Member, fileName: string): Promise<string> {
  await step.world.runQueue(step.random)
  const log = (await read(step, member, "/tasks/export-log?limit=100")).json()
  const links = (log.data as { _source: { fileUrl: string | null } }[]).map(({ _source }) => _source.fileUrl)
  const link = links.find((url) => url?.includes(fileName))
  must(typeof link === "string", "an export in the background has a file when the queue is empty", [
    fileName,
    links,
  ])
  return link ?? ""
}
