import { useCallback } from "react"
import { useFormats } from "../../../i18n/formats.ts"

export interface ExpectedArrival {
  /** `14:05 (13:52–14:20)` */
  text: string
  isLate: boolean
}

/** When a task's worker is expected, with the window of nine of ten arrivals; undefined without an estimate. */
export function useExpectedArrival(): (task: {
  estimatedArrival?: unknown
  estimatedArrivalWindow?: unknown
}) => ExpectedArrival | undefined {
  const formats = useFormats()
  return useCallback(
    ({ estimatedArrival, estimatedArrivalWindow }) => {
      // Flows may have components with these ids, whose values are something else.
      const window = estimatedArrivalWindow as
        | { earliest?: unknown; latest?: unknown; isLate?: unknown }
        | null
        | undefined
      const times = [estimatedArrival, window?.earliest, window?.latest].map((time) =>
        typeof time === "string" ? formats.time(time) : undefined,
      )
      const [arrival, earliest, latest] = times
      if (!arrival || !earliest || !latest) return undefined
      return { text: `${arrival} (${earliest}–${latest})`, isLate: window?.isLate === true }
    },
    [formats],
  )
}
