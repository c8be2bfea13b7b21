import assert from "node:assert/strict"
import { test } from "node:test"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { useMessages } from "../src/i18n/language.tsx"
import { defineMessages } from "../src/i18n/messages.ts"
import { leafChanges } from "../src/ui/history/leaf-changes.ts"
import { DataTable } from "../src/ui/tables/DataTable.tsx"

/** What the console's calls send, in the order of the calls; a browser resolves their addresses against the page. */
const sent: Request[] = []
const PageRequest = class extends Request {
  constructor(address: string | URL | Request, init?: RequestInit) {
    super(typeof address === "string" ? new URL(address, "https://fieldway.test") : address, init)
  }
}
let respond = () => Response.json({ status: true, data: [{ _id: "h1" }] })
Object.assign(globalThis, {
  Request: PageRequest,
  fetch: async (request: Request) => {
    sent.push(request)
    return respond()
  },
})
// Loaded now, since the client takes the class of its requests when it is created.
const { dataQuery, server } = await import("../src/api/server.ts")
const { useAction } = await import("../src/ui/actions/use-action.ts")
const { typedNames, withMention } = await import("../src/features/work/messages/mentions.ts")

test("a call puts path parameters, query and body where the API expects them", async () => {
  const body = { name: "Gate" }
  await server.put("/api/v3/token/{tokenId}", { tokenId: "a b", body })
  assert.equal(sent[0]?.method, "PUT")
  assert.equal(sent[0]?.url, "https://fieldway.test/api/v3/token/a%20b")
  assert.deepEqual(await sent[0]?.json(), body)
  const hubs = dataQuery(["hubs"], "/api/v3/hubs", { query: { byUser: true } })
  assert.deepEqual(await new QueryClient().fetchQuery(hubs), [{ _id: "h1" }])
  assert.equal(sent[1]?.url, "https://fieldway.test/api/v3/hubs?byUser=true")
})

test("an error response rejects with the server's message", async () => {
  respond = () => Response.json({ status: false, message: "This hub does not exist" }, { status: 404 })
  await assert.rejects(server.delete("/api/v3/hub/{hubId}", { hubId: "h1" }), {
    status: 404,
    message: "This hub does not exist",
  })
})

/** The hook's action as a component has it. */
function actionOf(client: QueryClient, send: () => Promise<string>, log: string[]) {
  let action: ReturnType<typeof useAction<string>> | undefined
  function Page() {
    action = useAction(send, { refreshes: [["hubs"]], onDone: (result) => log.push(`done: ${result}`) })
    return null
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Page)))
  assert.ok(action)
  return action
}

test("an action refreshes what it changed before the page goes on, and also after an error", async () => {
  const log: string[] = []
  const client = new QueryClient()
  client.invalidateQueries = async (filters) => {
    log.push(`refreshed: ${filters?.queryKey?.join()}`)
  }
  await actionOf(client, async () => "saved", log).mutateAsync()
  assert.deepEqual(log, ["refreshed: hubs", "done: saved"])
  const failing = actionOf(client, () => Promise.reject(new Error("conflict")), log)
  await assert.rejects(failing.mutateAsync(), { message: "conflict" })
  assert.deepEqual(log.slice(2), ["refreshed: hubs"])
})

test("a table leaves out columns that do not apply, and names its column of buttons", () => {
  const table = DataTable<{ id: string; name: string }>({
    rows: [{ id: "1", name: "North" }],
    keyOf: ({ id }) => id,
    columns: [
      { title: "Name", kind: "name", cell: ({ name }) => name },
      false,
      { title: "Changed", from: "sm", kind: "quiet", cell: (_row, index) => index },
      { title: "Actions", kind: "actions", cell: () => "Edit" },
    ],
  })
  const markup = renderToStaticMarkup(table)
  assert.equal(markup.match(/<th/g)?.length, 4, "thead and three headings")
  assert.match(markup, /<th[^>]*aria-label="Actions"[^>]*><\/th>/)
  assert.match(markup, /<td class="from-sm quiet"[^>]*>0<\/td>/)
})

test("every catalogue offers the shared words, unless it has another text for the same key", () => {
  const catalogue = defineMessages("test.hub", { save: "Save hub" })
  function Buttons() {
    const t = useMessages(catalogue)
    return [t("save"), t("cancel"), t("selectAll", { count: 2 })].join("|")
  }
  assert.equal(renderToStaticMarkup(createElement(Buttons)), "Save hub|Cancel|Select all 2")
})

test("the history names what changed inside of a field, not the whole of it", () => {
  const page = (title: string, ids: string[]) => [
    { id: "p", title: "Visit", components: ids.map((id) => ({ id, title: id === "a" ? title : id })) },
  ]
  assert.deepEqual(leafChanges(page("Outlet", ["a", "b"]), page("Shop", ["a", "c"])), [
    { path: ["Visit", "components", "Shop", "title"], before: "Outlet", after: "Shop" },
    { path: ["Visit", "components"], before: "b", after: undefined },
    { path: ["Visit", "components"], before: undefined, after: "c" },
  ])
  assert.deepEqual(leafChanges(page("", ["b", "c"]), page("", ["c", "b"])), [
    { path: ["Visit", "components"], before: "b, c", after: "c, b" },
  ])
  assert.deepEqual(leafChanges({ from: "08:00", to: "17:00" }, { from: "07:00", to: "17:00" }), [
    { path: ["from"], before: "08:00", after: "07:00" },
  ])
  assert.deepEqual(leafChanges(["a"], ["a", "b"]), [{ path: [], before: ["a"], after: ["a", "b"] }])
})

test("a mention takes the place of what was typed after the @", () => {
  assert.equal(withMention("Please check @Disp", "Dispatcher East"), "Please check @Dispatcher East ")
  assert.equal(withMention("@", "Ann"), "@Ann ")
  assert.equal(withMention("See ann@example.test", "Ann"), "See ann@example.test @Ann ")
  assert.equal(withMention("", "Ann"), "@Ann ")
  const ann = [{ id: "1", name: "Ann Lee" }]
  assert.deepEqual(typedNames("@Ann Lee and @Bo, not ann@example.test", ann), ["Bo"])
})
