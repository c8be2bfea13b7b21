import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { test } from "node:test"
import { runInNewContext } from "node:vm"

const source = await readFile(new URL("../public/field-worker.js", import.meta.url), "utf8")
const startPageOf = (version: string) => `<script type="module" src="/assets/index-${version}.js"></script>`

/** The worker of a phone that keeps `version`, and a server whose files can be changed. */
async function aPhoneWith(version: string) {
  const kept = new Map<string, string>()
  const server = new Map<string, string>()
  const publish = (published: string) => {
    server.clear()
    server.set("/field", startPageOf(published)).set(`/assets/index-${published}.js`, "script")
    const pages = [`/assets/index-${published}.js`]
    server.set("/field-files.json", JSON.stringify({ pages, languages: {} }))
  }
  const pathOf = (request: string | { url: string }) =>
    typeof request === "string" ? request : new URL(request.url).pathname
  const asked: string[] = []
  const fetch = async (request: string | { url: string }) => {
    asked.push(pathOf(request))
    const body = server.get(pathOf(request))
    return body === undefined ? new Response("", { status: 404 }) : new Response(body)
  }
  const cache = {
    match: async (request: string) => {
      const body = kept.get(pathOf(request))
      return body === undefined ? undefined : new Response(body)
    },
    keys: async () => [...kept.keys()].map((path) => ({ url: `https://fieldway.test${path}` })),
    addAll: async (files: string[]) => {
      const found = files.map((file) => [file, server.get(file)] as const)
      if (found.some(([, body]) => body === undefined)) throw new TypeError("a file is missing")
      for (const [file, body] of found) kept.set(file, String(body))
    },
    put: async (path: string, response: Response) => void kept.set(path, await response.text()),
    delete: async (path: string) => kept.delete(path),
  }
  const listeners = new Map<string, (event: unknown) => void>()
  const location = new URL("https://fieldway.test/field-worker.js?language=en")
  const addEventListener = (kind: string, listen: (event: unknown) => void) => listeners.set(kind, listen)
  const self = { location, addEventListener, skipWaiting: () => undefined }
  runInNewContext(source, {
    ...{ self, fetch, setTimeout, URL, Response },
    caches: { open: async () => cache, keys: async () => [], has: async () => false },
  })
  const settled: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => void settled.push(work)
  publish(version)
  listeners.get("install")?.({ waitUntil })
  await Promise.all(settled)
  const open = async () => {
    let response: Promise<Response> | undefined
    const request = { url: "https://fieldway.test/field", method: "GET", mode: "navigate" }
    listeners.get("fetch")?.({
      ...{ request, waitUntil },
      respondWith: (given: Promise<Response>) => {
        response = given
      },
    })
    const shown = await (await response)?.text()
    await Promise.all(settled)
    return shown
  }
  return { open, publish, server, kept, asked }
}

test("a new version is shown once the phone has its files; until then the kept one works", async () => {
  const { open, publish, server, kept, asked } = await aPhoneWith("one")
  asked.length = 0
  assert.equal(await open(), startPageOf("one"))
  assert.deepEqual(asked, ["/field"], "the same version is not kept again")
  publish("two")
  server.delete("/assets/index-two.js")
  assert.equal(await open(), startPageOf("one"))
  assert.equal(await open(), startPageOf("one"))
  publish("two")
  assert.equal(await open(), startPageOf("one"))
  assert.equal(await open(), startPageOf("two"))
  assert.deepEqual([...kept.keys()].sort(), ["/assets/index-two.js", "/field"])
})
