import assert from "node:assert/strict"
import type { BrowserContext, Page } from "playwright-core"
import type { Person, Stage } from "../stage.ts"
import { type FaultyNetwork, openFaultyNetwork } from "./faulty-network.ts"
import {
  finishStopInPage,
  giveHands,
  listStopsInPage,
  preparePhone,
  signInInPage,
  signOutInPage,
  whatIsLeftToSend,
} from "./in-page.ts"
import { aPhone } from "./phone.ts"

export interface Finished {
  taskId: string
  by: string
  receivedBy: string
  at: number
  hasPhoto: boolean
}

/** Beside other work on the same machine a page may take its time to open. */
const timeoutMilliseconds = 120_000
/** How long a phone whose network is back may take before its person opens the page again. */
const patienceMilliseconds = 4_000

/** The phone under test, which two people use, with what the model knows of it. */
export class SharedPhone {
  readonly finished: Finished[] = []
  readonly log: string[] = []
  readonly troubles: string[]
  readonly network: FaultyNetwork
  worker: Person
  private page: Page
  private readonly context: BrowserContext
  private readonly workers: readonly [Person, Person]

  private constructor(
    network: FaultyNetwork,
    { context, page, troubles }: Awaited<ReturnType<typeof aPhone>>,
    workers: readonly [Person, Person],
  ) {
    this.network = network
    this.context = context
    this.page = page
    this.troubles = troubles
    this.workers = workers
    this.worker = workers[0]
  }

  static async open(stage: Stage, workers: readonly [Person, Person]): Promise<SharedPhone> {
    const opened = await aPhone(stage)
    opened.context.setDefaultTimeout(timeoutMilliseconds)
    opened.page.setDefaultTimeout(timeoutMilliseconds)
    await opened.context.addInitScript(preparePhone)
    await opened.context.addInitScript(giveHands)
    const phone = new SharedPhone(await openFaultyNetwork(stage.address), opened, workers)
    await phone.page.goto(`${phone.network.address}/field`)
    await phone.page.evaluate(signInInPage, phone.worker)
    return phone
  }

  async close(): Promise<void> {
    await this.context.close()
    await this.network.close()
  }

  /** Drops what was done before: it was compared. */
  startRound(): void {
    this.finished.length = 0
    this.log.length = 0
  }

  /** The names of the stops on the list. */
  shownStops(): Promise<string[]> {
    return this.page.evaluate(listStopsInPage)
  }

  async finish(name: string, taskId: string, how: { isFull: boolean; hasPhoto: boolean }): Promise<void> {
    const receivedBy = `${name} ${this.worker.email} ${this.finished.length}`
    const entry = { taskId, by: this.worker.email, receivedBy, at: Date.now(), hasPhoto: how.hasPhoto }
    if (await this.page.evaluate(finishStopInPage, { name, receivedBy, ...how })) this.finished.push(entry)
    // What the other person finished may arrive between two looks at the list.
    else
      assert.ok(
        this.finished.some((one) => one.taskId === taskId),
        `${name} vanished from the list`,
      )
  }

  async kill(): Promise<void> {
    await this.page.close()
    this.page = await this.context.newPage()
    await this.openPage()
  }

  async setClock(hours: number): Promise<void> {
    await this.page.evaluate((clockError) => {
      Object.assign(globalThis, { clockError })
      localStorage.setItem("test.clock-error", String(clockError))
    }, hours * 3_600_000)
  }

  async endSession(): Promise<void> {
    await this.context.clearCookies()
  }

  async switchPerson(): Promise<void> {
    this.network.state = "works"
    await this.page.evaluate(signOutInPage)
    this.worker = this.worker === this.workers[0] ? this.workers[1] : this.workers[0]
    await this.page.evaluate(signInInPage, this.worker)
  }

  /** Everything of the present person reaches the server: with the page as it is, or after it was opened again. */
  async settle(isOpenedAgain: boolean): Promise<void> {
    this.network.state = "works"
    if (isOpenedAgain) await this.openPage()
    // The browser notices that there is a network.
    else await this.page.evaluate(() => window.dispatchEvent(new Event("online")))
    for (let tries = 0; ; tries += 1) {
      const state = await this.page.evaluate(whatIsLeftToSend, patienceMilliseconds)
      if (state === "sent") break
      assert.ok(tries < 20, `what was finished is not sent\n${await this.page.innerText("body")}`)
      if (state === "waits") await this.openPage()
      else {
        await this.page.getByRole("link", { name: "Sign in", exact: true }).click()
        await this.page.evaluate(signInInPage, this.worker)
      }
    }
    assert.equal(await this.page.getByText("was refused").count(), 0)
  }

  /** Opens the page as its person, who signs in again where the session has ended. */
  private async openPage(): Promise<void> {
    await this.page.goto(`${this.network.address}/field`)
    const today = this.page.getByRole("heading", { name: "Today" })
    await today.or(this.page.getByLabel("E-mail")).first().waitFor()
    if (await today.isVisible()) return
    this.network.state = "works"
    await this.page.evaluate(signInInPage, this.worker)
  }
}
