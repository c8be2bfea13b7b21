import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useState } from "react"
import { useSession } from "../../session/session.ts"
import { breakSince, readShift, type Shift, writeShift } from "./attendance/shift.ts"
import { useSettledSession } from "./attendance/use-settled-session.ts"
import { useWakeLock } from "./attendance/use-wake-lock.ts"
import { useIsReachable } from "./connection.ts"
import { moveToDone, personKeyOf } from "./field.queries.ts"
import type { Field, Held, OthersWork } from "./field-context.ts"
import { sendReadNotices } from "./inbox/inbox.queries.ts"
import { draftedTasks } from "./kept/field-drafts.ts"
import {
  countUnsentPoints,
  type Movement,
  recordPositions,
  refusedPoints,
  sendPoints,
} from "./kept/field-positions.ts"
import { type PersonStore, peopleOnThisPhone, storeOf } from "./kept/field-store.ts"
import {
  countWaiting,
  isFinish,
  type Notice,
  sendWaiting,
  type Waiting,
  waitingTasks,
} from "./kept/field-sync.ts"
import { askToPersist } from "./kept/storage.ts"
import type { Sighting } from "./stop/follow-stops.ts"
import { useArrivals } from "./stop/use-arrivals.ts"

const retryMilliseconds = 15_000

type Kept = Omit<Held, "shift">
const nothing: Kept = {
  waiting: [],
  drafted: new Map(),
  notices: [],
  refusedPositions: undefined,
  unsentPositions: 0,
  others: [],
}

async function readKept(store: PersonStore): Promise<Kept> {
  const [waiting, drafted, notices, refused, points, others] = await Promise.all([
    waitingTasks(store),
    draftedTasks(store),
    store.recallAll<Notice>("notices"),
    refusedPoints(store),
    countUnsentPoints(store),
    readOthers(store.personKey),
  ])
  return {
    waiting,
    drafted,
    notices,
    refusedPositions: refused[0] && { count: refused.length, reason: refused[0].refusal ?? "" },
    unsentPositions: points,
    others,
  }
}

async function readOthers(ownKey: string): Promise<OthersWork[]> {
  const people = (await peopleOnThisPhone()).filter(({ key }) => key !== ownKey)
  const all = await Promise.all(
    people.map(async (person) => {
      const store = storeOf(person.key)
      const [waiting, drafts, positions] = await Promise.all([
        waitingTasks(store),
        store.count("drafts"),
        store.count("points"),
      ])
      return { person, ...countWaiting(waiting), drafts, positions }
    }),
  )
  return all.filter(({ finished, more, drafts, positions }) => finished + more + drafts + positions > 0)
}

/** Keeps sending what waits, and records positions while the person works. */
export function usePhone(): { field: Field; held: Held; isRead: boolean; isNotKept: boolean } {
  const { user, may } = useSession()
  const client = useQueryClient()
  const isReachable = useIsReachable()
  const personKey = personKeyOf(user)
  const store = useMemo(() => storeOf(personKey), [personKey])
  const [kept, setKept] = useState(nothing)
  const [isRead, setRead] = useState(false)
  const [isNotKept, setNotKept] = useState(false)
  const [shift, setShiftState] = useState(() => readShift(user.email))
  const [isDriving, setDriving] = useState(false)
  const setShift = useCallback(
    (next: Shift | undefined) => {
      writeShift(user.email, next)
      setShiftState(next)
    },
    [user.email],
  )
  const refresh = useCallback(async () => setKept(await readKept(store)), [store])
  const onSettled = useSettledSession({ store, email: user.email, setShift })
  const addWaiting = useCallback(
    (entry: Waiting) =>
      setKept((before) => ({
        ...before,
        waiting: [...before.waiting, entry],
        drafted: new Map([...before.drafted].filter(([taskId]) => taskId !== entry.taskId)),
      })),
    [],
  )
  const readTasks = useCallback(() => client.invalidateQueries({ queryKey: ["tasks"] }), [client])
  const sendKept = useCallback(async () => {
    let isSent = false
    try {
      const onSent = async (entry: Waiting) => {
        isSent = true
        if (isFinish(entry)) await moveToDone(store, entry)
      }
      await sendWaiting(store, { sender: user._id, onChange: () => void refresh(), onSent })
      await sendPoints(store, user._id, onSettled)
      await sendReadNotices(store).catch(() => undefined)
    } catch {
      // What was sent could not be taken off the phone: it is sent again, and the server knows it.
      setNotKept(true)
    }
    await refresh()
    // A list that was on its way meanwhile may not know of it.
    if (isSent) await readTasks()
    return isSent
  }, [store, refresh, readTasks, onSettled, user._id])
  const send = useCallback(async () => {
    await refresh()
    if (!(await sendKept())) await readTasks()
  }, [refresh, sendKept, readTasks])

  useEffect(() => void askToPersist().catch(() => undefined), [])
  useEffect(() => {
    refresh().finally(() => setRead(true))
  }, [refresh])
  const isWorking = shift ? shift.isTracked && breakSince(shift) === undefined : false
  const { configuration } = (user.organization ?? {}) as { configuration?: { positionConsent?: unknown } }
  // Where people are asked, their working day alone says whether they agreed.
  const isAlways = may("position/always") && configuration?.positionConsent !== true
  const isRecording = isWorking || isAlways
  const look = useArrivals({
    store,
    email: user.email,
    isActive: isRecording,
    onKept: () => void (isReachable ? send() : refresh()),
    onNotKept: () => setNotKept(true),
  })
  useEffect(() => {
    if (!isRecording) return
    const onMove = ({ meters, isDriving }: Movement, sighting: Sighting) => {
      look(sighting)
      setDriving(isDriving)
      const current = readShift(user.email)
      if (current && isWorking && meters > 0) setShift({ ...current, meters: current.meters + meters })
    }
    const onNotKept = () => setNotKept(true)
    const person = { _id: user._id, email: user.email }
    const stop = recordPositions(store, person, { onNotKept, onMove, onSettled })
    return () => {
      stop()
      setDriving(false)
    }
  }, [isRecording, isWorking, store, user._id, user.email, setShift, look, onSettled])
  useWakeLock(isWorking && isDriving)
  useEffect(() => {
    if (!isReachable) return
    void send()
    const timer = setInterval(() => void sendKept(), retryMilliseconds)
    return () => clearInterval(timer)
  }, [isReachable, send, sendKept])

  const field = useMemo(
    () => ({ store, setShift, send, refresh, addWaiting, setNotKept }),
    [store, setShift, send, refresh, addWaiting],
  )
  const held = useMemo(() => ({ ...kept, shift }), [kept, shift])
  return { field, held, isRead, isNotKept }
}
