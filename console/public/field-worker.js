/**
 * Lets the field page open without a network: keeps the start page and every built file that it can need,
 * whether it was used yet or not. Built files carry a hash of their content, so a kept one is never stale; the
 * start page is asked for first and comes from here only when the server cannot be reached. Data is none of its
 * business.
 */
const cacheName = "fieldway-field-2"
const startPage = "/field"
/** Written by the build: the addresses of the field page's files. */
const fileList = "/field-files.json"

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles())
  self.skipWaiting()
})

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldCaches().then(() => self.clients.claim()))
})

self.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin) return
  if (request.mode === "navigate" && pathname.startsWith(startPage)) event.respondWith(openPage(event))
  else if (/^\/(assets\/|favicon)/.test(pathname)) event.respondWith(builtFile(request))
})

/** Keeps what the list of the running version names and forgets the files of older versions. */
async function keepFiles() {
  const cache = await caches.open(cacheName)
  const listed = await fetch(fileList, { cache: "no-store" })
  if (!listed.ok) throw new Error(`the list of files could not be read: ${listed.status}`)
  const files = await listed.json()
  const kept = new Set((await cache.keys()).map((request) => new URL(request.url).pathname))
  await cache.addAll(files.filter((file) => !kept.has(file)))
  const page = await fetch(startPage, { headers: { accept: "text/html" } })
  if (page.ok) await cache.put(startPage, page)
  const wanted = new Set([...files, startPage])
  for (const path of kept) if (!wanted.has(path)) await cache.delete(path)
}

async function forgetOldCaches() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
}

async function openPage(event) {
  try {
    const answer = await fetch(event.request)
    event.waitUntil(keepFiles().catch(() => undefined))
    return answer
  } catch (error) {
    const kept = await (await caches.open(cacheName)).match(startPage)
    if (kept) return kept
    throw error
  }
}

async function builtFile(request) {
  const kept = await (await caches.open(cacheName)).match(request)
  return kept ?? fetch(request)
}
