import { useEffect } from "react"
import { useSession } from "../../../session/session.ts"
import { useDeskStore } from "./desk-store.ts"

interface SharedState {
  date: string
  selected: string[]
  shownPerson: string | undefined
}

/** Keeps selection and shown person the same in all windows of the desk that show the same day. */
export function useWindowSync(date: string): void {
  const store = useDeskStore()
  const organizationId = useSession().organization.id
  useEffect(() => {
    const channel = new BroadcastChannel(`fieldway-dispatch-${organizationId}`)
    let last = store.get()
    let isTaking = false
    const stop = store.subscribe(() => {
      const next = store.get()
      const isSame = next.selected === last.selected && next.shownPerson === last.shownPerson
      last = next
      if (isSame || isTaking) return
      const shared: SharedState = { date, selected: [...next.selected], shownPerson: next.shownPerson }
      channel.postMessage(shared)
    })
    channel.onmessage = ({ data }: MessageEvent<SharedState>) => {
      if (data.date !== date) return
      isTaking = true
      store.set({ selected: new Set(data.selected), shownPerson: data.shownPerson })
      isTaking = false
    }
    return () => {
      stop()
      channel.close()
    }
  }, [store, organizationId, date])
}
