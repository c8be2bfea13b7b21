/**
 * Lets the field page open without a network: keeps the start page and every built file that was used.
 * Built files carry a hash of their content, so a kept one is never stale; the start page is asked for first
 * and comes from here only when the server cannot be reached. Data is none of its business.
 */
const cacheName = "fieldway-field-1"
const startPage = "/field"

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(startPage)))
  self.skipWaiting()
})

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin) return
  if (request.mode === "navigate" && pathname.startsWith(startPage)) event.respondWith(openPage(request))
  else if (/^\/(assets\/|favicon)/.test(pathname)) event.respondWith(builtFile(request))
})

async function openPage(request) {
  const cache = await caches.open(cacheName)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(startPage, answer.clone())
    return answer
  } catch (error) {
    const kept = await cache.match(startPage)
    if (kept) return kept
    throw error
  }
}

async function builtFile(request) {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}
