import { useCallback, useEffect, useRef, useState } from "react"
import { usePreference } from "../../people/users/preferences.queries.ts"

/** How a dispatcher has arranged the screen; kept with the person, on every device. */
export interface DeskLayout {
  /** `side`: the list beside everything else; `top`: list and map over the people. */
  arrangement: "side" | "top"
  /** Percent of the width for the list, and of the height for what is over the people. */
  listShare: number
  mapShare: number
  hasList: boolean
  hasMap: boolean
  /** Pixels of an hour; until somebody zooms, those that the day needs. */
  zoom?: number
}

const usualLayout: DeskLayout = {
  arrangement: "side",
  listShare: 24,
  mapShare: 48,
  hasList: true,
  hasMap: true,
}

/** The layout, and how to change it: at once on the screen, and on the server when `isLasting`. */
export function useDeskLayout() {
  const [kept, keep] = usePreference<Partial<DeskLayout>>("dispatch-layout")
  const [layout, setLayout] = useState<DeskLayout>()
  const latest = useRef(usualLayout)
  const shown = layout ?? { ...usualLayout, ...kept }
  useEffect(() => {
    latest.current = shown
  })
  const change = useCallback(
    (part: Partial<DeskLayout>, isLasting = true) => {
      const next = { ...latest.current, ...part }
      latest.current = next
      setLayout(next)
      if (isLasting) keep(next)
    },
    [keep],
  )
  return { layout: shown, change }
}
