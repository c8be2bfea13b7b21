import { useCallback, useEffect, useRef, useState } from "react"
import { sendFiles } from "../../work/flows/fields/send-files.ts"
import { useIsReachable } from "../connection.ts"
import { type Draft, type Values, withPhotoLists } from "../kept/field-drafts.ts"
import { isLow, isNearlyFull, readUsage, type Usage } from "../kept/storage.ts"

export interface StopDraft {
  values: Values
  more: Values
  /** The last change is not on the disk. */
  isNotKept: boolean
  /** The component whose photo was not taken in, because there is no room. */
  noRoomFor: string | undefined
  change(componentId: string, value: unknown): void
  fill(values: Values): void
  setMore(more: Values): void
  keepAgain(): void
  /** Sends the photos and returns the values with their addresses. */
  sendPhotos(): Promise<Values>
}

/** What is entered for a stop: kept at every change, refused before there is no room, sent early when room is short. */
export function useStopDraft(taskId: string, draft: Draft): StopDraft {
  const [values, setValues] = useState(draft.values)
  const [more, setMore] = useState(draft.more)
  const [isNotKept, setNotKept] = useState(false)
  const [noRoomFor, setNoRoomFor] = useState<string>()
  const usage = useRef<Usage>(undefined)
  const isSending = useRef(false)
  const isReachable = useIsReachable()
  const latest = useRef(values)
  latest.current = values

  const sendPhotos = useCallback(async () => {
    const before = latest.current
    const sent = withPhotoLists(await sendFiles(taskId, before))
    const merged = (current: Values) =>
      Object.fromEntries(
        // What was changed while it was sent stays as it is now.
        Object.entries(current).map(([id, value]) => [
          id,
          value === before[id] && id in sent ? sent[id] : value,
        ]),
      )
    setValues(merged)
    return merged(latest.current)
  }, [taskId])
  const save = useCallback(async () => {
    const isKept = await draft.save(values, more).then(
      () => true,
      () => false,
    )
    usage.current = await readUsage().catch(() => undefined)
    const isShort = !isKept || isLow(usage.current)
    if (isShort && hasFiles(values) && isReachable && !isSending.current) {
      isSending.current = true
      const isSent = await sendPhotos().then(
        () => true,
        () => false,
      )
      isSending.current = false
      // What is left without the photos is saved next.
      if (isSent) return
    }
    setNotKept(!isKept)
  }, [draft, values, more, isReachable, sendPhotos])
  useEffect(() => void save(), [save])

  const change = (componentId: string, value: unknown) => {
    const isLarger = filesIn(value) > filesIn(values[componentId])
    // With a network it is sent at once and needs no room here.
    if (isLarger && !isReachable && (isNotKept || isNearlyFull(usage.current))) {
      setNoRoomFor(componentId)
      return
    }
    setNoRoomFor(undefined)
    setValues((current) => ({ ...current, [componentId]: value }))
  }
  return {
    values,
    more,
    isNotKept,
    noRoomFor,
    change,
    fill: (filled) => setValues((current) => ({ ...current, ...filled })),
    setMore,
    keepAgain: () => void save(),
    sendPhotos,
  }
}

/** How many photos and recordings a value holds that have not left the phone. */
function filesIn(value: unknown): number {
  if (typeof value === "string") return value.startsWith("data:") ? 1 : 0
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + filesIn(entry), 0)
  if (typeof value === "object" && value !== null && "url" in value) return filesIn(value.url)
  return 0
}

function hasFiles(values: Values): boolean {
  return Object.values(values).some((value) => filesIn(value) > 0)
}
