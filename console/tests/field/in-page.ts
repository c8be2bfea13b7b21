import type { Person } from "../stage.ts"

/** What tests run inside of the page of a phone: many steps in one call are much quicker than as many calls. */

/** A clock that can be changed, and a disk that can be full. */
export function preparePhone(): void {
  const phone = globalThis as unknown as { isFull?: boolean; clockError: number }
  phone.clockError = Number(localStorage.getItem("test.clock-error") ?? 0)
  const RealDate = Date
  class ShiftedDate extends RealDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RealDate.now() + phone.clockError)
      else super(...(given as [number]))
    }
    static override now() {
      return RealDate.now() + phone.clockError
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor
  const put = IDBObjectStore.prototype.put
  IDBObjectStore.prototype.put = function (...given) {
    if (phone.isFull) throw new DOMException("The disk is full", "QuotaExceededError")
    return put.apply(this, given)
  }
}

export interface StopToFinish {
  name: string
  receivedBy: string
  /** The disk is full at the first tap on *Finish task*. */
  isFull: boolean
  /** A photo is taken as proof. */
  hasPhoto: boolean
}

/** What the functions below use; `giveHands` puts it into the page. */
interface Hands {
  /** Waits for what `look` finds, for as long as a person would. */
  until<T>(what: string, look: () => T | null | undefined | false): Promise<T>
  findButton(title: string): HTMLButtonElement | undefined
  button(title: string): Promise<HTMLButtonElement>
  /** React hears of what is typed, not of what is set. */
  type(label: string, text: string): Promise<void>
}

/** Runs in the page. */
export function giveHands(): void {
  const hands: Hands = {
    until: (what, look) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          observer.disconnect()
          reject(new Error(`${what} is not on the page:\n${document.body.innerText}`))
        }, 120_000)
        const check = () => {
          const found = look()
          if (!found) return
          observer.disconnect()
          clearTimeout(timer)
          resolve(found)
        }
        const observer = new MutationObserver(check)
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
        check()
      }),
    findButton: (title) =>
      [...document.querySelectorAll("button")].find(
        (one) => one.textContent === title && !one.disabled && one.dataset.loading !== "true",
      ),
    button: (title) => hands.until(`the button ${title}`, () => hands.findButton(title)),
    async type(title, text) {
      const input = await hands.until(title, () => {
        const label = [...document.querySelectorAll("label")].find(
          (one) => one.textContent?.replace(" *", "") === title,
        )
        return label?.control as HTMLInputElement | undefined
      })
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text)
      input.dispatchEvent(new Event("input", { bubbles: true }))
    },
  }
  Object.assign(globalThis, { hands })
}

/** From the list of stops to the form that asks who signs in. */
export async function signOutInPage(): Promise<void> {
  const { hands } = globalThis as unknown as { hands: Hands }
  const link = await hands.until("This phone", () =>
    document.querySelector<HTMLElement>("a[aria-label='This phone']"),
  )
  link.click()
  ;(await hands.button("Sign out")).click()
  const last = await hands.until("the question", () =>
    [...document.querySelectorAll<HTMLElement>("[role=dialog] button")].find((one) =>
      one.textContent?.startsWith("Sign out"),
    ),
  )
  last.click()
}

export async function signInInPage({ email, password }: Person): Promise<void> {
  const { hands } = globalThis as unknown as { hands: Hands }
  await hands.type("E-mail", email)
  await hands.type("Password", password)
  ;(await hands.button("Sign in")).click()
  await hands.until("Today", () => document.querySelector("h1")?.textContent === "Today")
}

/**
 * From the list through the form of a stop back to the list; every step as soon as the page offers it. False for a stop that
 * is no longer on the list.
 */
export async function finishStopInPage({
  name,
  receivedBy,
  isFull,
  hasPhoto,
}: StopToFinish): Promise<boolean> {
  const { hands } = globalThis as unknown as { hands: Hands }
  const { until, findButton, button } = hands
  const phone = globalThis as unknown as { isFull?: boolean }
  const findStop = () =>
    [...document.querySelectorAll<HTMLElement>("a.stop-open")].find(
      (link) => link.querySelector("strong")?.textContent === name,
    )
  for (let tries = 0; tries < 20 && !findStop(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
  const stop = findStop()
  if (!stop) return false
  stop.click()
  const next = await button("Next")
  next.click()
  await hands.type("Received by", receivedBy)
  if (hasPhoto) {
    const picture = document.createElement("canvas")
    picture.width = 8
    picture.height = 8
    picture.getContext("2d")?.fillRect(0, 0, 4, 4)
    const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, "image/jpeg"))
    const files = new DataTransfer()
    files.items.add(new File(blob ? [blob] : [], "door.jpg", { type: "image/jpeg" }))
    const field = await until("the field for photos", () =>
      document.querySelector<HTMLInputElement>("input[type=file]"),
    )
    field.files = files.files
    field.dispatchEvent(new Event("change", { bubbles: true }))
    await until("the photo", () => document.querySelector("img[alt^='Photo 1']"))
  }
  const finish = await button("Finish task")
  if (isFull) {
    phone.isFull = true
    finish.click()
    await until("the warning", () => document.body.textContent?.includes("This phone could not store"))
    phone.isFull = false
  }
  const isOnToday = () => document.querySelector("h1")?.textContent === "Today"
  // With room again, the first tap may still succeed: its photo is being sent meanwhile.
  const again = await until("Finish task or Today", () => findButton("Finish task") ?? isOnToday())
  if (again !== true) again.click()
  await until("Today", isOnToday)
  return true
}

/** The names of the stops, once the page has had the time to draw all of them. */
export async function listStopsInPage(): Promise<string[]> {
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }))
  const cards = () => [...document.querySelectorAll(".stop-open strong")]
  for (let tries = 0; tries < 5 && cards().length === 0; tries += 1) await idle()
  await idle()
  await idle()
  return cards().map(({ textContent }) => textContent ?? "")
}

/** Says what stands between the phone and a server that has everything; waits for it at most `patience` milliseconds. */
export function whatIsLeftToSend(patience: number): Promise<"sent" | "signed out" | "waits"> {
  return new Promise((resolve) => {
    const end = (result: "sent" | "signed out" | "waits") => {
      observer.disconnect()
      clearTimeout(timer)
      resolve(result)
    }
    const check = () => {
      const shown = document.body.textContent ?? ""
      if (shown.includes("Sign in again")) return end("signed out")
      const isShown = document.querySelector("h1")?.textContent === "Today"
      if (isShown && !/waits? to be sent|No network|not working|not respond/.test(shown)) end("sent")
    }
    const timer = setTimeout(() => end("waits"), patience)
    const observer = new MutationObserver(check)
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    check()
  })
}

/** How much of what was read it keeps for the time without a network. */
export async function countKeptReads(): Promise<number> {
  const opened = indexedDB.open("fieldway-field")
  await new Promise((resolve) => {
    opened.onsuccess = resolve
  })
  const request = opened.result.transaction("reads").objectStore("reads").count()
  await new Promise((resolve) => {
    request.onsuccess = resolve
  })
  opened.result.close()
  return request.result
}

/** Holds back the list of finished stops from when `isHeld` is set until `letThrough` is called. */
export function holdDoneList(): void {
  const page = globalThis as unknown as { isHeld?: boolean; letThrough?: () => void }
  const { fetch } = globalThis
  globalThis.fetch = async (...given) => {
    const response = await fetch(...given)
    if (page.isHeld && response.url.includes("status=DONE"))
      await new Promise<void>((resolve) => {
        page.isHeld = false
        page.letThrough = resolve
      })
    return response
  }
}

/** Keeps a position that is nowhere. */
export async function keepImpossiblePosition(): Promise<void> {
  const opened = indexedDB.open("fieldway-field")
  await new Promise((resolve) => {
    opened.onsuccess = resolve
  })
  const person = localStorage.getItem("fieldway.field-person")
  const stamp = { device: Date.now(), offset: 0, heardAt: 0 }
  const point = { key: "odd", email: "paul@fieldway.test", stamp, lat: 95, lon: 4, createdFrom: "Fieldway" }
  const transaction = opened.result.transaction("points", "readwrite")
  transaction.objectStore("points").put(point, `${person}/odd`)
  await new Promise((resolve) => {
    transaction.oncomplete = resolve
  })
  opened.result.close()
}
