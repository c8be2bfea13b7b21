import type { Browser, Page } from "playwright-core"

interface TraceEvent {
  name: string
  ph: string
  ts: number
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args?: { name?: string; data?: unknown }
}

/** In the page: the time of each frame, until `endOfFrames`. */
const countFrames = `
  window.frameTimes = []
  window.endOfFrames = false
  requestAnimationFrame(function look(time) {
    frameTimes.push(time)
    if (!endOfFrames) requestAnimationFrame(look)
  })`

const frameMilliseconds = 1000 / 60
const longMilliseconds = 50

/**
 * What the page's thread did meanwhile, from a trace of the browser. Every frame takes one piece of work of that thread: its
 * processor time says whether scripts and layout leave room for 60 frames a second, whatever draws them. How many frames were
 * seen is what `requestAnimationFrame` counted.
 */
export async function recordFrames(browser: Browser, page: Page, work: () => Promise<void>): Promise<string> {
  await page.evaluate(countFrames)
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const times = await page.evaluate<number[]>("endOfFrames = true, frameTimes")
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const ofMain = traceEvents.filter(({ pid, tid }) => main.has(`${pid} ${tid}`))
  const pieces = ofMain.flatMap(({ name, tdur }) => (tdur && /RunTask/.test(name) ? [tdur / 1000] : []))
  const sumOf = (pattern: RegExp) =>
    ofMain.reduce((sum, { name, tdur }) => sum + (pattern.test(name) ? (tdur ?? 0) : 0), 0) / 1000
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  const busy = pieces.reduce((sum, piece) => sum + piece, 0)
  return [
    `${(times.length / seconds).toFixed(1)} frames/s seen in ${seconds.toFixed(0)} s (gaps: median ${at(gaps, 0.5)}, 99 % ${at(gaps, 0.99)} ms)`,
    `page thread busy ${((100 * busy) / (seconds * 1000)).toFixed(0)} %`,
    `scripts ${(sumOf(/^(FunctionCall|EvaluateScript|FireAnimationFrame|TimerFire|EventDispatch)$/) / times.length).toFixed(2)} ms a frame`,
    `layout and style ${(sumOf(/^(Layout|UpdateLayoutTree)$/) / times.length).toFixed(2)}`,
    `paint ${(sumOf(/^(Paint|PrePaint|Layerize|Commit)$/) / times.length).toFixed(2)}`,
    `pieces over ${frameMilliseconds.toFixed(1)} ms: ${pieces.filter((piece) => piece > frameMilliseconds).length} of ${pieces.length}, over ${longMilliseconds} ms: ${pieces.filter((piece) => piece > longMilliseconds).length}, longest ${Math.max(0, ...pieces).toFixed(0)} ms`,
  ].join("; ")
}

function at(values: readonly number[], share: number): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0).toFixed(1)
}
