import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage } from "../stage.ts"
import { countKeptReads, holdDoneList } from "./in-page.ts"
import {
  aHubWithWorkers,
  aPhone,
  enterPassword,
  finishStop,
  isDone,
  readTask,
  signInOnThePhone,
  taskWhen,
} from "./phone.ts"

/** Phones that people share: what one of them left on it is neither seen, nor lost, nor done by another. */
const stage = await openStage()

test("a shared phone keeps each person's work, hides it, and lets a planner send it in their name", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["eva", "finn"])
  const [eva, finn] = workers
  const [mill, quay] = [await aDelivery("Mill", [eva]), await aDelivery("Quay", [eva])]
  const { context, page, troubles } = await aPhone(stage)
  await context.addInitScript(holdDoneList)
  await signInOnThePhone(stage, page, eva)
  await page.getByRole("link", { name: /Mill/ }).first().waitFor()
  await context.route("**/api/v3/task/**", (route) => route.abort())
  await finishStop(page, /Mill/, "The miller")
  await page.getByText("1 task waits to be sent").waitFor()
  await page.getByRole("link", { name: /Quay/ }).first().click()
  await page.getByLabel("Note", { exact: true }).fill("Ring twice")
  await page.goBack()
  await page.getByText("Draft").waitFor()

  await page.getByRole("link", { name: "This phone" }).click()
  await page.getByRole("button", { name: "Sign out" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByText(/1 finished task, 1 draft/).waitFor()
  // A list of what she did is on its way while she signs out.
  await page.evaluate(() => Object.assign(globalThis, { isHeld: true }))
  await aDelivery("Barn", [eva])
  await page.waitForFunction(() => "letThrough" in globalThis)
  await dialog.getByRole("button", { name: "Sign out and keep it here" }).click()
  await page.getByLabel("E-mail").waitFor()
  await page.evaluate(() => (globalThis as unknown as { letThrough(): void }).letThrough())
  // As long as it takes to keep one.
  await page.waitForTimeout(300)
  assert.equal(await page.evaluate(countKeptReads), 0, "what she saw is off the phone")
  await enterPassword(page, finn)
  assert.equal(await page.getByText(/Mill|waits to be sent/).count(), 0, "hidden from the next person")
  await page.getByRole("link", { name: "This phone" }).click()
  await page.getByText("Someone else worked on this phone").waitFor()
  assert.equal(await page.getByRole("button", { name: /Send for/ }).count(), 0)
  await page.getByRole("button", { name: "Sign out" }).click()
  await dialog.getByRole("button", { name: "Sign out" }).click()

  await context.unroute("**/api/v3/task/**")
  await page.getByLabel("E-mail").waitFor()
  await page.goto(`${stage.address}/field`)
  await enterPassword(page, stage.owner)
  await page.getByRole("link", { name: "This phone" }).click()
  page.once("dialog", (question) => void question.accept())
  await page.getByRole("button", { name: "Send for eva" }).click()
  const released = await taskWhen(stage, { token, taskId: mill }, isDone)
  assert.deepEqual([released.doneBy, released.receivedBy], [eva.email, "The miller"])
  await page.getByText("eva: 1 draft").waitFor()

  await page.getByRole("button", { name: "Sign out" }).click()
  await dialog.getByRole("button", { name: "Sign out" }).click()
  await enterPassword(page, eva)
  await page.getByText("Draft").waitFor()
  await page.getByRole("link", { name: /Quay/ }).first().click()
  assert.equal(await page.getByLabel("Note", { exact: true }).inputValue(), "Ring twice")
  assert.equal((await readTask(stage, token, quay)).status, "ONGOING")
  assert.deepEqual(troubles, [])
  await context.close()
})

test("what is on its way while the next person signs in is not done in their name", async () => {
  const { workers, token, aDelivery } = await aHubWithWorkers(stage, ["greta", "hugo"])
  const [greta, hugo] = workers
  const [mill, quay] = [await aDelivery("Mill", workers), await aDelivery("Quay", workers)]
  const { context, page, troubles } = await aPhone(stage)
  await signInOnThePhone(stage, page, greta)
  await page.getByRole("link", { name: /Mill/ }).first().waitFor()
  await context.route("**/api/v3/task/**", (route) => route.abort())
  await finishStop(page, /Mill/, "The miller")
  await finishStop(page, /Quay/, "The harbour master")
  await page.getByText("2 tasks wait to be sent").waitFor()
  // The server has the first one. Its response comes after Hugo has signed in; only then the second one is sent.
  const { promise: isHugo, resolve: letThrough } = Promise.withResolvers<void>()
  await context.route(`**/api/v3/task/${mill}`, async (route) => {
    const response = await route.fetch()
    await isHugo
    await route.fulfill({ response })
  })
  await context.unroute("**/api/v3/task/**")
  await page.evaluate(() => window.dispatchEvent(new Event("online")))
  await taskWhen(stage, { token, taskId: mill }, isDone)
  await page.getByRole("link", { name: "This phone" }).click()
  await page.getByRole("button", { name: "Sign out" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Sign out and keep it here" }).click()
  await enterPassword(page, hugo)
  const refused = page.waitForResponse((response) => response.url().endsWith(`/api/v3/task/${quay}`))
  letThrough()
  assert.equal((await refused).status(), 412)
  assert.equal((await readTask(stage, token, quay)).status, "ONGOING")

  await page.getByRole("link", { name: "This phone" }).click()
  await page.getByRole("button", { name: "Sign out" }).click()
  await dialog.getByRole("button", { name: "Sign out" }).click()
  await enterPassword(page, greta)
  const done = await taskWhen(stage, { token, taskId: quay }, isDone)
  assert.deepEqual([done.doneBy, done.receivedBy], [greta.email, "The harbour master"])
  assert.deepEqual(troubles, [])
  await context.close()
})

test("a page that is left open in another tab becomes the next person's", async () => {
  const { workers, aDelivery } = await aHubWithWorkers(stage, ["irma", "jan"])
  const [irma, jan] = workers
  const { context, page } = await aPhone(stage)
  await signInOnThePhone(stage, page, irma)
  const other = await context.newPage()
  await other.goto(`${stage.address}/field`)
  await other.getByRole("link", { name: "This phone" }).click()
  await other.getByRole("button", { name: "Sign out" }).click()
  await other.getByRole("dialog").getByRole("button", { name: "Sign out" }).click()
  await enterPassword(other, jan)
  await aDelivery("Barn", [jan])
  // The page that Irma left open in another tab follows the session.
  await page.getByRole("link", { name: /Barn/ }).first().waitFor()
  await context.close()
})
