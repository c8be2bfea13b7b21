import { once } from "node:events"
import { request as ask } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { selfSigned } from "../../server/testing/services/self-signed-certificate.ts"
import type { Stage } from "./stage.ts"

interface Site {
  port: number
  close(): void
}

/** A server over TLS, with a certificate that only this test accepts. */
async function aSite(handle: Parameters<typeof createServer>[1]): Promise<Site> {
  const { certificate, privateKeyPem } = selfSigned("localhost")
  const server = createServer({ cert: certificate, key: privateKeyPem }, handle)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A test that fails before it closes its sites must not hold the process.
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** What an operator's proxy does: TLS in front of the server. */
const aProxyOf = (address: string) =>
  aSite((request, reply) => {
    const { method = "GET", url, headers } = request
    const onward = ask(new URL(url ?? "/", address), { method, headers }, (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(reply)
    })
    onward.on("error", () => reply.destroy())
    request.pipe(onward)
  })

const components = [{ id: "name", component: "input", type: "String", title: "Name" }]

/** A form that only the pages of one origin may show. */
async function aForm({ call, tokenOf, owner }: Stage, origin: string) {
  const token = await tokenOf(owner.email, owner.password)
  const ask = async (method: string, path: string, body?: unknown) =>
    ((await call(token, method, path, body)) as { data: unknown }).data
  const [hub] = (await ask("GET", "/hubs")) as { _id: string }[]
  const flow = { name: "Repairs", pages: [{ id: "page0", title: "Repairs", components }] }
  const made = (await call(token, "POST", "/flow", flow)) as { flow: { _id: string } }
  const fields = components.map(({ id }) => ({ id }))
  const settings = { fields, frameOrigins: [origin], needsApproval: true }
  const form = { name: "Repairs", hubId: hub?._id, flowId: made.flow._id, settings }
  const { url } = (await ask("POST", "/request-form", form)) as { url: string }
  const countRequests = async () =>
    ((await ask("GET", "/task-requests")) as { data: { formId: string }[] }).data.length
  return { path: new URL(url).pathname, countRequests }
}

/**
 * The snippet of a form on a shop's page, which is of another site (localhost) than the form (127.0.0.1), and on a page that
 * the form does not list. Both are served over TLS.
 */
export async function formInFrame(stage: Stage) {
  let snippet = ""
  const [shop, proxy] = await Promise.all([
    aSite((_request, reply) => reply.setHeader("content-type", "text/html").end(`<h1>Shop</h1>${snippet}`)),
    aProxyOf(stage.address),
  ])
  const origin = `https://localhost:${shop.port}`
  const { path, countRequests } = await aForm(stage, origin)
  const before = await countRequests()
  snippet = `<iframe src="https://127.0.0.1:${proxy.port}${path}?lang=en" title="Repairs" style="width:100%;height:900px;border:0" loading="lazy"></iframe>`
  const context = await stage.browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: "reduce" })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const refusals: string[] = []
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) refusals.push(message.text())
  })
  await page.goto(origin)
  const shown = await sendForm(page)
  const cookies = await context.cookies()
  const inShop = refusals.splice(0)
  await page.goto(`https://127.0.0.1:${shop.port}`)
  const elsewhere = await page.frameLocator("iframe").locator("body").innerText()
  await context.close()
  shop.close()
  proxy.close()
  const requests = (await countRequests()) - before
  return { shown, requests, cookies, refusedInShop: inShop, refusedElsewhere: refusals.length, elsewhere }
}

/** Fills the form in the page's frame as a person does, and returns what it says then. */
async function sendForm(page: Page): Promise<string> {
  const form = page.frameLocator("iframe")
  await form.getByRole("textbox", { name: /^Name/ }).fill("Ani")
  const frame = page.frames().at(-1)
  // Nobody fills a form faster than in three seconds.
  await frame?.waitForFunction(() => {
    const [opened] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
    return performance.now() - (opened?.responseStart ?? 0) > 3_000
  })
  await form.getByRole("button", { name: "Send" }).click()
  await form.getByText("Reference").waitFor()
  return form.getByRole("heading", { level: 1 }).innerText()
}
