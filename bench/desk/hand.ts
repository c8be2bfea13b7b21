import type { Locator, Page } from "playwright-core"

/** What a job costs the person who does it. */
export interface Effort {
  clicks: number
  keys: number
  drags: number
  /** Of the run: the browser's and the server's time, without any reading or thinking. */
  seconds: number
  /** Of a practised person, by the keystroke-level model, with the seconds of the run as waiting. */
  minutes: number
}

/** Seconds of the keystroke-level model (Card, Moran and Newell, 1980): pointing, a button, a key, a decision. */
const model = { point: 1.1, button: 0.2, key: 0.28, decide: 1.35 }

/** Works a page as a person does, and counts. One decision is reckoned for each click and drag. */
export function aHand(page: Page) {
  let [clicks, keys, drags] = [0, 0, 0]
  const glide = async (path: readonly (readonly [x: number, y: number])[]) => {
    for (const [x, y] of path) await page.mouse.move(x, y, { steps: 4 })
  }
  return {
    page,
    async click(target: Locator, options: Parameters<Locator["click"]>[0] = {}) {
      clicks += 1
      await target.click(options)
    },
    async type(target: Locator, text: string) {
      keys += text.length
      await target.fill(text)
    },
    async press(key: string) {
      keys += 1
      await page.keyboard.press(key)
    },
    /** From the first point to the last, with the button down. */
    async drag(path: readonly (readonly [x: number, y: number])[], beforeDrop?: () => Promise<void>) {
      drags += 1
      const [first, ...others] = path
      if (!first) return
      await page.mouse.move(...first)
      await page.mouse.down()
      await glide(others)
      await beforeDrop?.()
      await page.mouse.up()
    },
    /** Does a job and says what it took. */
    async job(work: () => Promise<void>): Promise<Effort> {
      ;[clicks, keys, drags] = [0, 0, 0]
      const started = performance.now()
      await work()
      const seconds = (performance.now() - started) / 1000
      const moving =
        clicks * (model.point + model.button + model.decide) +
        drags * (2 * (model.point + model.button) + model.decide) +
        keys * model.key
      return { clicks, keys, drags, seconds, minutes: (moving + seconds) / 60 }
    },
  }
}

export type Hand = ReturnType<typeof aHand>

/** In the dialog that changes one field. */
export async function changeDue({ page, click, type }: Hand, time: string): Promise<void> {
  const dialog = page.getByRole("dialog")
  await click(dialog.getByRole("combobox", { name: "Field" }))
  await click(page.getByRole("option", { name: "Due", exact: true }))
  await type(dialog.getByLabel("Due", { exact: true }), time)
  await click(dialog.getByRole("button", { name: /^Change / }))
}
