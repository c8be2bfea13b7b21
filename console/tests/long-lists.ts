import type { Browser, Page } from "playwright-core"
import type { Stage } from "./stage.ts"

/** How many rows a long list has. */
export const manyRows = 10_000

/** Fills up the owner's organization until it has as many tasks and records of the type, all like the newest one. */
export async function fillUp({ sql }: Stage, dataTypeId: string): Promise<void> {
  const id = sql`'f' || lpad(to_hex(row_number() over ()), 23, '0')`
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, content, start_time, end_time,
      created_time, updated_time, created_from, order_index, lng, lat, "values", attributes)
    select organization_id, ${id}, hub_id, flow_id, flow, 'UNASSIGNED', title || ' ' || n, content, start_time, end_time,
      created_time - n * interval '1 second', updated_time, created_from, order_index, lng, lat, "values", attributes
    from (select * from tasks where task_type = 'task' order by created_time desc limit 1) as task,
      generate_series(1, ${manyRows} - (select count(*)::int from tasks where task_type = 'task')) as n`
  await sql`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, created_time, updated_time)
    select organization_id, ${id}, data_type_id, hub_id, data_id || ' ' || n, "values", ordered, created_time, updated_time
    from (select * from data_records where data_type_id = ${dataTypeId} limit 1) as record,
      generate_series(1, ${manyRows} - (select count(*)::int from data_records where data_type_id = ${dataTypeId})) as n`
}

export interface Scrolled {
  frames: number
  /** Pieces of work of the page's thread that took more than 50 ms of its processor: a person sees these frames late. */
  longPieces: number
  longestMilliseconds: number
  pieces: number
  maxElements: number
  maxRows: number
}

const longMilliseconds = 50

interface TraceEvent {
  name: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/**
 * Scrolls the grid of the page from its first to its last row, a screen and a half for each frame, and reports what
 * that took. Processor time is counted: what else the machine does at the time changes nothing.
 */
export async function scrollThrough(browser: Browser, page: Page): Promise<Scrolled> {
  await browser.startTracing(page, { categories: ["toplevel"] })
  const seen = await page.evaluate(async () => {
    const grid = document.querySelector('[role="grid"]')
    if (!grid) throw new Error("no grid on this page")
    const most = { frames: 0, maxElements: 0, maxRows: 0 }
    while (grid.scrollTop + grid.clientHeight < grid.scrollHeight - 1) {
      grid.scrollTop += grid.clientHeight * 1.5
      await new Promise((resolve) => requestAnimationFrame(resolve))
      most.frames += 1
      most.maxElements = Math.max(most.maxElements, document.getElementsByTagName("*").length)
      most.maxRows = Math.max(most.maxRows, grid.querySelectorAll('[role="row"]').length)
    }
    return most
  })
  await page
    .locator(`[aria-rowindex="${manyRows + 1}"] [role=gridcell]`)
    .nth(1)
    .getByText(/\S/)
    .first()
    .waitFor()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const pieces = traceEvents.flatMap(({ pid, tid, tdur }) =>
    tdur !== undefined && threads.has(`${pid} ${tid}`) ? [tdur / 1_000] : [],
  )
  return {
    ...seen,
    longPieces: pieces.filter((milliseconds) => milliseconds > longMilliseconds).length,
    longestMilliseconds: Math.round(Math.max(0, ...pieces)),
    pieces: pieces.length,
  }
}
