import "./tracking.css"
import { UnstyledButton } from "@mantine/core"
import { IconUserQuestion } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { trackingMessages } from "./messages.ts"
import { movementNow, type Position } from "./positions.ts"
import { silentQuery } from "./silent.ts"

export interface SilentPeopleProps {
  hub: string | undefined
  positions: readonly Position[]
  now: number
  onChoose(userId: string): void
}

/** People at work who send no positions; nothing if all do. A newer position removes a person from the list. */
export function SilentPeople({ hub, positions, now, onChoose }: SilentPeopleProps) {
  const t = useMessages(trackingMessages)
  const formats = useFormats()
  const { data: silent = [] } = useQuery(silentQuery)
  const candidates = new Set(silent.map(({ userId }) => userId))
  const heard = new Set(
    positions
      .filter(({ userId }) => candidates.has(userId))
      .filter((position) => ["moving", "still"].includes(movementNow(position, now)))
      .map(({ userId }) => userId),
  )
  const shown = silent.filter(
    ({ userId, hubIds }) => !heard.has(userId) && (hub === undefined || hubIds.includes(hub)),
  )
  if (shown.length === 0) return null
  return (
    <section className="silent-people" aria-label={t("silentTitle")}>
      <h2>
        <IconUserQuestion size={16} aria-hidden /> {t("silentAtWork", { count: shown.length })}
      </h2>
      <ul>
        {shown.map((person) => (
          <li key={person.userId}>
            <UnstyledButton className="person-row" onClick={() => onChoose(person.userId)}>
              <span className="user-names">
                <span className="user-name">{person.name}</span>
                <span className="user-role">
                  {[
                    person.hasOpenSession ? t("sessionRuns") : undefined,
                    person.taskCount > 0 ? t("runningTasks", { count: person.taskCount }) : undefined,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </span>
              <span className="quiet person-age">
                {person.lastTime ? formats.ago(person.lastTime, now) : t("neverHeard")}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
