import "./tracking.css"
import { Skeleton } from "@mantine/core"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { dayBound, localOf } from "../../../i18n/day-bounds.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { dayMessages } from "./day-messages.ts"
import { hoursMessages } from "./hours-messages.ts"

const refreshMilliseconds = 60_000

const attendanceQuery = (query: { timeFrom: string; timeTo: string; hubId?: string }) =>
  queryOptions({
    // Sessions that begin and end refresh it like positions; hours grow with the time.
    queryKey: ["positions", "attendance", query],
    queryFn: ({ signal }) => server.get("/api/v3/attendance", { query, signal }),
    refetchInterval: refreshMilliseconds,
  })

/** Hours and kilometres of a day per person. */
export function HoursList({ hub }: { hub: string | undefined }) {
  const t = useMessages(hoursMessages)
  const tDay = useMessages(dayMessages)
  const formats = useFormats()
  const { timeZone } = useSession().organization
  const [day, setDay] = useState(() => localOf(new Date(), timeZone).slice(0, 10))
  const shown = day || localOf(new Date(), timeZone).slice(0, 10)
  const { data, error } = useQuery(
    attendanceQuery({
      timeFrom: dayBound(shown, "from", timeZone),
      timeTo: dayBound(shown, "to", timeZone),
      ...(hub ? { hubId: hub } : {}),
    }),
  )
  return (
    <section className="hours" aria-label={t("hours")}>
      <DateTimeInput type="date" label={t("day")} {...bindText(day, setDay)} />
      <FormError error={data ? undefined : (error ?? undefined)} />
      {data || error ? null : <Skeleton h={120} />}
      {data?.data.length === 0 ? <p className="quiet">{t("nobody")}</p> : null}
      <ul>
        {data?.data.map(({ userId, name, startTime, finishTime, workedMinutes, kilometers }) => (
          <li key={userId}>
            <strong>{name}</strong>
            <span className="figure">
              {tDay("hours", { hours: Math.floor(workedMinutes / 60), minutes: workedMinutes % 60 })}
            </span>
            <span className="quiet">
              {formats.time(startTime)} – {finishTime ? formats.time(finishTime) : t("working")}
            </span>
            <span className="quiet figure">{formats.distance(kilometers * 1000)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
