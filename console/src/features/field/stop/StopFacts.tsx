import { IconCash, IconClock, IconMapPin, IconPackage } from "@tabler/icons-react"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { fieldMessages } from "../messages.ts"
import type { Stop } from "./stop.ts"
import type { StopTimes } from "./stop-times.ts"

const shownLines = 4

/** Where, when, what to bring and what to collect. */
export function StopFacts({ task, stop, times }: { task: Task; stop: Stop; times: StopTimes }) {
  const t = useMessages(fieldMessages)
  const { locale } = useLanguage()
  const more = stop.bring.length - shownLines
  const open = stop.opens || stop.closes ? `${stop.opens ?? ""}–${stop.closes ?? ""}` : undefined
  return (
    <ul className="stop-facts">
      {stop.address ? (
        <li>
          <IconMapPin size={18} aria-hidden />
          <span>{stop.address}</span>
        </li>
      ) : null}
      <li>
        <IconClock size={18} aria-hidden />
        <span>
          {times.between(task.startTime, task.endTime)}
          {open ? ` · ${t("open", { hours: open })}` : ""}
          {stop.eta ? ` · ${t("eta", { time: times.at(stop.eta) })}` : ""}
        </span>
      </li>
      {stop.bring.length > 0 ? (
        <li>
          <IconPackage size={18} aria-hidden />
          <span>
            {stop.bring.slice(0, shownLines).join(", ")}
            {more > 0 ? ` ${t("andMore", { count: more })}` : ""}
          </span>
        </li>
      ) : null}
      {stop.cash.map(({ title, amount }) => (
        <li key={title} className="stop-cash">
          <IconCash size={18} aria-hidden />
          <span>
            {title}: <strong>{inMoney(amount, locale)}</strong>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** 1250.5 as 1,250.50. */
function inMoney(amount: number, locale: string): string {
  return amount.toLocaleString(locale, Number.isInteger(amount) ? {} : { minimumFractionDigits: 2 })
}
