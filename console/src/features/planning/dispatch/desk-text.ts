import { useMemo } from "react"
import type { DayProblem } from "#shared/dispatch/problems.ts"
import { directionOf } from "#shared/languages.ts"
import { currentLanguage } from "../../../i18n/chosen-language.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import type { DayTask, DispatchDay } from "./dispatch.queries.ts"
import { dispatchMessages } from "./messages.ts"

export interface DeskText {
  clock(epochSeconds: number): string
  /** The time, with the day if it is another than that of the desk. */
  moment(epochSeconds: number): string
  /** `1 h 20 min` */
  span(seconds: number): string
  problem(problem: DayProblem): string
}

/** Times of the day's zone and lengths of time, as the desk writes them. */
export function useDeskText(
  { timeZone, from, until }: Pick<DispatchDay, "timeZone" | "from" | "until">,
  taskOf: ReadonlyMap<string, DayTask>,
): DeskText {
  const t = useMessages(dispatchMessages)
  const { locale } = useLanguage()
  return useMemo(() => {
    const clockFormat = new Intl.DateTimeFormat(locale, {
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
    })
    const dayFormat = new Intl.DateTimeFormat(locale, {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
    })
    const moment = (seconds: number) =>
      (seconds >= from && seconds < until ? clockFormat : dayFormat).format(seconds * 1000)
    const clock = (seconds: number) => clockFormat.format(seconds * 1000)
    const title = (id: string) => taskOf.get(id)?.title || t("untitled")
    const problem = (found: DayProblem): string => {
      switch (found.kind) {
        case "late":
          return t("problemLate", { task: title(found.stopId), time: spanText(found.seconds) })
        case "overlap":
          return t("problemOverlap", { task: title(found.stopId), other: title(found.otherId) })
        case "shiftStart":
          return t("problemShiftStart", { time: spanText(found.seconds) })
        case "shiftEnd":
          return t("problemShiftEnd", { time: spanText(found.seconds) })
        case "capacity":
          return t("problemCapacity", { name: found.name, load: found.load, max: found.max })
        case "tags":
          return t("problemTags", { task: title(found.stopId), tags: found.tags })
        case "hub":
          return t("problemHub", { task: title(found.stopId) })
      }
    }
    return { clock, moment, span: spanText, problem }
  }, [t, locale, timeZone, from, until, taskOf])
}

const symbols = { day: "d", hour: "h", minute: "min" } as const

/** The symbols of SI, which languages in Latin letters share; others have their own. */
function inUnit(count: number, unit: keyof typeof symbols): string {
  const language = currentLanguage()
  if (directionOf(language) === "ltr") return `${count} ${symbols[unit]}`
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "narrow" }).format(count)
}

/** Days, hours and minutes; below a minute it is one. */
export function spanText(seconds: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(seconds) / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const days = Math.floor(hours / 24)
  if (days > 0) return `${inUnit(days, "day")} ${inUnit(hours % 24, "hour")}`
  if (hours === 0) return inUnit(rest, "minute")
  return rest === 0 ? inUnit(hours, "hour") : `${inUnit(hours, "hour")} ${inUnit(rest, "minute")}`
}
