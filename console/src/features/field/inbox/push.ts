import type { Language } from "#shared/languages.ts"
import { api, responseOf } from "../../../api/client.ts"

/** `blocked`: the person has refused notifications in the browser; `install`: they need the app on the home screen. */
export type PushState = "on" | "off" | "blocked" | "install" | "none"

/** On a shared phone each person chooses for themselves. */
const chosenKeyOf = (personKey: string) => `fieldway.push.${personKey}`

function isApple(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  )
}

export function pushState(personKey: string): PushState {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return isApple() ? "install" : "none"
  if (Notification.permission === "denied") return "blocked"
  const isChosen = localStorage.getItem(chosenKeyOf(personKey)) !== null
  return Notification.permission === "granted" && isChosen ? "on" : "off"
}

/** Asks the person, subscribes the browser and registers it for them. Returns how things stand then. */
export async function startPush(personKey: string, language: Language): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return pushState(personKey)
  await register(language)
  localStorage.setItem(chosenKeyOf(personKey), "1")
  return pushState(personKey)
}

/** Registers again what the browser renewed, and says which language to use. Where push is off it does nothing. */
export async function renewPush(personKey: string, language: Language): Promise<void> {
  if (pushState(personKey) === "on") await register(language)
}

/** The browser no longer receives anything for this person. */
export async function stopPush(personKey: string): Promise<void> {
  localStorage.removeItem(chosenKeyOf(personKey))
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  if (!subscription) return
  await responseOf(
    api.DELETE("/api/v3/push-subscription", { body: { endpoint: subscription.endpoint } }),
  ).catch(() => undefined)
  // Without a network too: the push service then refuses what the server still sends.
  await subscription.unsubscribe()
}

async function register(language: Language): Promise<void> {
  const registration = await navigator.serviceWorker.ready
  const { publicKey } = await responseOf(api.GET("/api/v3/push-key"))
  const applicationServerKey = bytesOf(publicKey)
  let subscription = await registration.pushManager.getSubscription()
  if (subscription && !isKey(subscription.options.applicationServerKey, applicationServerKey)) {
    await subscription.unsubscribe()
    subscription = null
  }
  subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys } = subscription.toJSON()
  const body = {
    endpoint: endpoint ?? subscription.endpoint,
    keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" },
    language,
  }
  await responseOf(api.POST("/api/v3/push-subscription", { body }))
}

function isKey(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? new ArrayBuffer(0))
  return bytes.length === wanted.length && bytes.every((byte, index) => byte === wanted[index])
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/")
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}
