import assert from "node:assert/strict"
import { test } from "node:test"
import { getDocumentProxy } from "unpdf"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"

const pages = [
  {
    id: "page0",
    title: "العميل",
    components: [
      { id: "receiver", component: "input", type: "String", title: "المستلم", showAs: "title" },
      { id: "note", component: "input", type: "String", title: "Нотатка" },
      { id: "secret", component: "input", type: "String", title: "Internal" },
      { id: "language", component: "input", type: "String" },
      { id: "bill", component: "bill", title: "Bill" },
    ],
  },
]

/** The texts of the pages, each piece in the order in which it is read. */
async function readBack(pdf: Buffer): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 })
  const texts: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    texts.push(items.map((item) => ("str" in item ? item.str : "")).join("|"))
  }
  return texts.join("\n")
}

test("a service report has its parts in any script, with the words in the right order", async (t) => {
  const { sql, as } = await testApp(t)
  const org = await anOrganization(sql, { name: "شركة البحر" })
  const [hub, flow] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const values = {
    receiver: "فاتورة رقم 123 لشركة ACME الدولية",
    note: "Привіт, Ελλάδα, สวัสดี, שלום עולם",
    secret: "margin 40 %",
    language: "ar",
    bill: [{ title: "قهوة", qty: 2, unitPrice: 5 }],
  }
  const task = await aTask(sql, { org, hub, flow, title: "فاتورة", status: "DONE", values })
  const calls = as(org.owner).expect(200)
  await calls.put(`/flow/${flow.id}/report-settings`, { hiddenFields: ["secret"], foot: "Reg. 4711" })
  const reply = await calls.get(`/task/${task.id}/report`)
  assert.equal(reply.headers["content-type"], "application/pdf")
  const text = await readBack(reply.rawPayload)
  const words = text.normalize("NFKC")
  assert.ok(words.includes("تقرير الخدمة"), words)
  assert.ok(words.includes("فاتورة رقم"), words)
  assert.ok(words.includes("ACME"), words)
  assert.ok(words.includes("שלום עולם"), words)
  assert.ok(words.includes("Привіт"), words)
  assert.match(words, /Reg\. 4711.*SHA-256 [0-9a-f]{64}/s)
  assert.ok(!words.includes("margin"), words)
  const english = await readBack((await calls.get(`/task/${task.id}/report?language=en`)).rawPayload)
  assert.match(english, /Service report/)
})
