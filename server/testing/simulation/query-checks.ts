import { checkList, lineOfWire, read, type WireTask } from "./checks.ts"
import type { Member } from "./company.ts"
import type { Step } from "./step.ts"
import { must, mustMatch } from "./violation.ts"

/** A filter as the API has it, and the same by plain code over the whole list. */
export interface Filter {
  query: string
  isFit(task: WireTask): boolean
}

const textOf = (value: unknown) => (value === null || value === undefined ? "" : String(value))

/** Words that occur, that occur in other letters, and that would be patterns if they were not taken as they are. */
const words = ["quay", "MILL", "depot 1", "lisb", "é", "o'neill", "%", "_", "0%_", "1", "bulk"]

/** One filter of each kind; those with several values name two. */
export function everyFilter({ random, company, model }: Step): Filter[] {
  const refs = model.liveTasks().flatMap(({ refId }) => refId ?? [])
  const statuses = random.some(["UNASSIGNED", "ONGOING", "DONE"], 2)
  const hubIds: string[] = random.some(company.hubs, 2).map(({ id }) => id)
  const emails = random.some(company.workers, 2).map(({ email }) => email)
  const byWord = (word: string): Filter => ({
    query: `q=${encodeURIComponent(word)}`,
    isFit: (task) =>
      `${textOf(task.title)} ${textOf(task.content)} ${textOf(task.label)}`
        .toLowerCase()
        .includes(word.toLowerCase()),
  })
  const all: Filter[] = [
    { query: `status=${statuses.join(",")}`, isFit: ({ status }) => statuses.includes(status) },
    { query: `hubId=${hubIds.join(",")}`, isFit: ({ hubId }) => hubIds.includes(hubId) },
    {
      query: `assignee=${encodeURIComponent(emails.join(","))}`,
      isFit: ({ assignee }) => assignee.some((email) => emails.includes(email)),
    },
    {
      query: `flow=${encodeURIComponent(company.flow.name)}`,
      isFit: ({ flow }) => flow === company.flow.name,
    },
    { query: "outcome=done", isFit: ({ status }) => status === "DONE" },
    ...words.map(byWord),
  ]
  if (refs.length > 0) {
    const refId = random.pick(refs)
    all.push({ query: `refId=${refId}`, isFit: (task) => task.refId === refId })
  }
  return all
}

export const orders = ["createdTime", "startTime", "orderIndex", "siteName", "boxes", "status"]

/** Filters of one check within a run; the last check has all of them. */
const filtersPerCheck = 7

/** The list of a member by filters, and by pairs of them: each is what plain code selects from the whole list. */
export async function checkFilters(step: Step, member: Member, isLast: boolean): Promise<number> {
  const whole = await checkList(step, member)
  const every = everyFilter(step)
  const single = isLast ? every : step.random.some(every, filtersPerCheck)
  // A parameter is sent once: the last filter of each name.
  const different = [...new Map(single.map((filter) => [filter.query.split("=")[0], filter])).values()]
  const pairs = [step.random.some(different, 2), step.random.some(different, 2)]
  const selections = [[], ...single.map((filter) => [filter]), ...pairs]
  for (const filters of selections) await checkSelection(step, member, whole, filters)
  await checkFields(step, member, whole)
  return selections.length + 1
}

const rule = (text: string) => `${text} (tasks)`

/** In a random order, by pages and by cursor: the pages together have each selected task once, in the order asked for. */
async function checkSelection(
  step: Step,
  member: Member,
  whole: readonly WireTask[],
  filters: readonly Filter[],
): Promise<void> {
  const { random } = step
  const expected = whole.filter((task) => filters.every(({ isFit }) => isFit(task)))
  const [sortBy, direction] = [random.pick(orders), random.pick(["asc", "desc"])]
  const limit = Math.max(2, Math.ceil(expected.length / random.integer(2, 4)))
  const query = [
    ...filters.map((filter) => filter.query),
    `sortBy=${sortBy}&sortOrder=${direction}&limit=${limit}`,
  ].join("&")
  const found: WireTask[] = []
  for (let page = 1; page <= Math.ceil(expected.length / limit) + 1; page += 1) {
    const { tasks } = (await read(step, member, `/tasks?${query}&page=${page}`)).json()
    must(tasks.total === expected.length, rule("a filtered list has the total of plain code"), [
      query,
      tasks.total,
      expected.length,
    ])
    found.push(...tasks.data)
  }
  mustMatch(
    found.map(lineOfWire),
    expected.map(lineOfWire),
    rule("the pages of a list are what plain code selects"),
  )
  must(isOrdered(found, sortBy, direction === "asc"), rule("a list has the order asked for"), [
    query,
    found.map((task) => task[sortBy]),
  ])
  const byCursor: WireTask[] = []
  for (let cursor = ""; ; ) {
    const reply = (
      await read(step, member, `/tasks?${query}&lazyLoad=1${cursor && `&cursor=${cursor}`}`)
    ).json()
    const { data } = reply.tasks as { data: WireTask[] }
    byCursor.push(...data)
    const last = data.at(-1)
    if (!last || data.length < limit) break
    must(byCursor.length <= expected.length, rule("a list by cursor ends"), query)
    cursor = last._id
  }
  must(
    byCursor.map(({ _id }) => _id).join() === found.map(({ _id }) => _id).join(),
    rule("a list by cursor is the list by pages"),
    [query, byCursor.length, found.length],
  )
}

/** Whether texts, numbers and dates follow each other; without a value is last when ascending. Ids decide between equals. */
function isOrdered(tasks: readonly WireTask[], sortBy: string, isAscending: boolean): boolean {
  const ordered = isAscending ? tasks : tasks.toReversed()
  return ordered.every((task, place) => {
    const before = ordered[place - 1]
    if (!before) return true
    const [one, other] = [before[sortBy] ?? null, task[sortBy] ?? null]
    if (one === null || other === null) return one !== null || other === null
    // Texts are compared by PostgreSQL's collation; only numbers, times and words in plain letters are judged here.
    if (typeof one === "string" && !/^[\dA-Z: -]*$/.test(`${one}${other}`)) return true
    return one === other ? before._id <= task._id : one < other
  })
}

/** Choosing fields leaves out the others and changes none. */
async function checkFields(step: Step, member: Member, tasks: readonly WireTask[]): Promise<void> {
  const [task] = tasks
  if (!task) return
  const fields = step.random.some(["siteName", "boxes", "city", "status", "hubId", "refId"], 2)
  const query = `/tasks?limit=1000&fields=${fields.join(",")}&hubId=${task.hubId}`
  const rows = (await read(step, member, query)).json().tasks.data as WireTask[]
  const row = rows.find(({ _id }) => _id === task._id)
  must(row !== undefined, "a list of some fields has the same tasks", query)
  for (const field of fields)
    must(JSON.stringify(row?.[field]) === JSON.stringify(task[field]), "choosing fields changes no value", [
      field,
      row?.[field],
      task[field],
    ])
  const others = ["siteName", "boxes", "city", "refId"].filter((field) => !fields.includes(field))
  for (const field of others) must(!(row && field in row), "choosing fields leaves out the others", field)
}

/** The totals for a condition, its opposite and neither add up to the whole. */
export async function checkSums(step: Step, member: Member): Promise<void> {
  const total = async (query: string) =>
    (await read(step, member, `/tasks?limit=1${query}`)).json().tasks.total as number
  const [all, parts] = [
    await total(""),
    await Promise.all(["UNASSIGNED", "ONGOING", "DONE"].map((status) => total(`&status=${status}`))),
  ]
  must(parts.reduce((sum, part) => sum + part, 0) === all, "the totals by status add up", [all, parts])
  const hubs = await Promise.all(step.company.hubs.map(({ id }) => total(`&hubId=${id}`)))
  must(hubs.reduce((sum, part) => sum + part, 0) === all, "the totals by hub add up", [all, hubs])
}
