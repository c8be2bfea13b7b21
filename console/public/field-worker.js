/**
 * Lets the field page open without a network: keeps the start page and every built file that it can need,
 * whether it was used yet or not. Built files carry a hash of their content, so a kept one is never stale; the
 * start page is asked for first and comes from here only when the server cannot be reached. Data is none of its
 * business.
 */
const cacheName = "fieldway-field-2"
/** Tiles that the phone page keeps around the stops of the day. */
const mapCacheName = "fieldway-map-1"
const startPage = "/field"
/** Written by the build: the addresses of the field page's files, and of each language's texts. */
const fileList = "/field-files.json"
/** Kept while files of an older version are still here. */
const oldFilesMark = "/field-old-files"
/** The page registers this worker with the language that it is read in. */
const language = new URL(self.location.href).searchParams.get("language")

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
  else if (pathname.startsWith("/maps/")) event.respondWith(mapTile(request))
  else if (/^\/(assets\/|favicon)/.test(pathname)) event.respondWith(builtFile(request))
})

self.addEventListener("push", (event) => event.waitUntil(showPush(event.data)))
self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openPath(event.notification.data?.path ?? `${startPage}/inbox`))
})

/** A push message says how many notices of each kind are unread, and of which task if it is one; the texts are here. */
const pushTexts = {
  en: {
    taskNew: { one: "1 new stop", other: "{count} new stops" },
    taskChanged: { one: "1 changed stop", other: "{count} changed stops" },
    taskCancelled: { one: "1 cancelled stop", other: "{count} cancelled stops" },
    alert: { one: "1 alert", other: "{count} alerts" },
    message: { one: "1 message", other: "{count} messages" },
    open: "Open the app to see what is new",
  },
  id: {
    taskNew: { other: "{count} perhentian baru" },
    taskChanged: { other: "{count} perhentian berubah" },
    taskCancelled: { other: "{count} perhentian dibatalkan" },
    alert: { other: "{count} peringatan" },
    message: { other: "{count} pesan" },
    open: "Buka aplikasi untuk melihat yang baru",
  },
  es: {
    taskNew: { one: "1 parada nueva", other: "{count} paradas nuevas" },
    taskChanged: { one: "1 parada modificada", other: "{count} paradas modificadas" },
    taskCancelled: { one: "1 parada cancelada", other: "{count} paradas canceladas" },
    alert: { one: "1 alerta", other: "{count} alertas" },
    message: { one: "1 mensaje", other: "{count} mensajes" },
    open: "Abra la aplicación para ver las novedades",
  },
  pt: {
    taskNew: { one: "1 parada nova", other: "{count} paradas novas" },
    taskChanged: { one: "1 parada alterada", other: "{count} paradas alteradas" },
    taskCancelled: { one: "1 parada cancelada", other: "{count} paradas canceladas" },
    alert: { one: "1 alerta", other: "{count} alertas" },
    message: { one: "1 mensagem", other: "{count} mensagens" },
    open: "Abra o aplicativo para ver as novidades",
  },
  fr: {
    taskNew: { one: "1 nouvel arrêt", other: "{count} nouveaux arrêts" },
    taskChanged: { one: "1 arrêt modifié", other: "{count} arrêts modifiés" },
    taskCancelled: { one: "1 arrêt annulé", other: "{count} arrêts annulés" },
    alert: { one: "1 alerte", other: "{count} alertes" },
    message: { one: "1 message", other: "{count} messages" },
    open: "Ouvrez l’application pour voir les nouveautés",
  },
  de: {
    taskNew: { one: "1 neuer Halt", other: "{count} neue Halte" },
    taskChanged: { one: "1 geänderter Halt", other: "{count} geänderte Halte" },
    taskCancelled: { one: "1 abgesagter Halt", other: "{count} abgesagte Halte" },
    alert: { one: "1 Alarm", other: "{count} Alarme" },
    message: { one: "1 Nachricht", other: "{count} Nachrichten" },
    open: "Öffnen Sie die App, um Neues zu sehen",
  },
  ar: {
    taskNew: {
      one: "محطة جديدة",
      two: "محطتان جديدتان",
      few: "{count} محطات جديدة",
      other: "{count} محطة جديدة",
    },
    taskChanged: {
      one: "محطة معدلة",
      two: "محطتان معدلتان",
      few: "{count} محطات معدلة",
      other: "{count} محطة معدلة",
    },
    taskCancelled: {
      one: "محطة ملغاة",
      two: "محطتان ملغاتان",
      few: "{count} محطات ملغاة",
      other: "{count} محطة ملغاة",
    },
    alert: { one: "تنبيه", two: "تنبيهان", few: "{count} تنبيهات", other: "{count} تنبيه" },
    message: { one: "رسالة واحدة", two: "رسالتان", few: "{count} رسائل", other: "{count} رسالة" },
    open: "افتح التطبيق لمعرفة المستجدات",
  },
}

async function showPush(data) {
  let content = {}
  try {
    content = data?.json() ?? {}
  } catch {
    // Shown all the same: browsers end subscriptions of pages that receive pushes and show nothing.
  }
  const read = Object.hasOwn(pushTexts, content.language) ? content.language : "en"
  const texts = pushTexts[read]
  const rules = new Intl.PluralRules(read)
  const lines = Object.entries(content.kinds ?? {}).flatMap(([kind, count]) => {
    const forms = Object.hasOwn(texts, kind) ? texts[kind] : undefined
    if (typeof forms !== "object") return []
    return [(forms[rules.select(count)] ?? forms.other).replace("{count}", count.toLocaleString(read))]
  })
  for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage({ type: "push" })
  await self.registration.showNotification("Fieldway", {
    body: lines.join("\n") || texts.open,
    lang: read,
    dir: read === "ar" ? "rtl" : "ltr",
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    tag: "notices",
    renotify: true,
    data: { path: pathOf(content) },
  })
}

/** The stop or the conversation that all of it is about, else the inbox. */
function pathOf({ taskId, kinds = {} }) {
  if (typeof taskId !== "string" || !/^[0-9a-f]{24}$/.test(taskId)) return `${startPage}/inbox`
  const isMessage = Object.keys(kinds).every((kind) => kind === "message")
  return isMessage ? `${startPage}/messages?taskId=${taskId}` : `${startPage}/${taskId}`
}

async function openPath(path) {
  const address = new URL(path, self.location.origin).href
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true })
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith(startPage))
  if (!page) return self.clients.openWindow(address)
  await page.focus().catch(() => undefined)
  return page.navigate(address).catch(() => undefined)
}

/**
 * Keeps what the list of the running version names, and forgets the files of older versions unless a page of theirs was
 * opened just now.
 */
async function keepFiles(isOldInUse = false) {
  const cache = await caches.open(cacheName)
  const listed = await fetch(fileList, { cache: "no-store" })
  if (!listed.ok) throw new Error(`the list of files could not be read: ${listed.status}`)
  const { pages, languages } = await listed.json()
  const files = [...pages, ...(languages[language] ?? [])]
  const kept = new Set((await cache.keys()).map((request) => new URL(request.url).pathname))
  await cache.addAll(files.filter((file) => !kept.has(file)))
  const page = await fetch(startPage, { headers: { accept: "text/html" } })
  if (page.ok) await cache.put(startPage, page)
  const wanted = new Set([...files, startPage])
  if (isOldInUse) await cache.put(oldFilesMark, new Response())
  else for (const path of kept) if (!wanted.has(path)) await cache.delete(path)
}

async function forgetOldCaches() {
  for (const name of await caches.keys())
    if (name !== cacheName && name !== mapCacheName) await caches.delete(name)
}

/** So long a page that is kept waits for the server's. */
const patienceMilliseconds = 600

/**
 * The start page of the server; the kept one where the server cannot be reached, does not work or takes its time, and where
 * the files of a new version are not here yet: a network that is cut while they load would leave an empty page.
 */
async function openPage(event) {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(startPage)
  const asked = fetch(event.request)
  if (!kept) return asked
  const late = new Promise((resolve) => setTimeout(resolve, patienceMilliseconds))
  // Read before the page is shown, which uses its body up.
  const read = asked.then(async (answer) => ({ answer, text: await answer.clone().text() }))
  const usable = read.then(async (page) => ((await isComplete(page, cache)) ? page.answer : undefined))
  const shown = await Promise.race([usable, late]).catch(() => undefined)
  // The next page is then the new one, however slow the network.
  event.waitUntil(read.then((page) => keepVersion(page, cache, !shown)).catch(() => undefined))
  return shown ?? kept
}

/** Whether all files that a start page begins with are kept. */
async function isComplete({ answer, text }, cache) {
  // A proxy may send people to its own sign-in first.
  if (answer.type === "opaqueredirect") return true
  if (!answer.ok) return false
  const files = text.match(/\/assets\/[\w.-]+/g) ?? []
  const found = await Promise.all(files.map((file) => cache.match(file)))
  return found.every(Boolean)
}

/** Keeps the files of another version, whose start page differs: it names files by a hash of their content. */
async function keepVersion({ answer, text }, cache, isOldInUse) {
  if (!answer.ok) return
  const [kept, hasOldFiles] = await Promise.all([cache.match(startPage), cache.match(oldFilesMark)])
  if (hasOldFiles || text !== (await kept?.text())) await keepFiles(isOldInUse)
}

async function builtFile(request) {
  const kept = await (await caches.open(cacheName)).match(request)
  return kept ?? fetch(request)
}

/** A kept tile, whatever signature its address has by now; others come from the server. */
async function mapTile(request) {
  const hasKept = await caches.has(mapCacheName)
  const kept = hasKept && (await (await caches.open(mapCacheName)).match(request, { ignoreSearch: true }))
  return kept || fetch(request)
}
