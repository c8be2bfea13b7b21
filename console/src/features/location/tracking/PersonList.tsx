import "./tracking.css"
import { UnstyledButton } from "@mantine/core"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { trackingMessages } from "./messages.ts"
import { movementNow, type Position } from "./positions.ts"

export interface PersonListProps {
  positions: readonly Position[]
  now: number
  chosen: string | undefined
  onChoose(userId: string | undefined): void
}

const order = { moving: 0, still: 1, silent: 2, "never-seen": 3 } as const

/** All people with their current state, moving ones first. */
export function PersonList({ positions, now, chosen, onChoose }: PersonListProps) {
  const t = useMessages(trackingMessages)
  const formats = useFormats()
  const sorted = positions
    .map((position) => ({ position, movement: movementNow(position, now) }))
    .toSorted(
      (one, other) =>
        order[one.movement] - order[other.movement] || one.position.name.localeCompare(other.position.name),
    )
  return (
    <ul className="person-list" aria-label={t("people")}>
      {sorted.map(({ position, movement }) => (
        <li key={position.userId}>
          <UnstyledButton
            className="person-row"
            aria-pressed={position.userId === chosen}
            onClick={() => onChoose(position.userId === chosen ? undefined : position.userId)}
          >
            <span className="movement" data-movement={movement} aria-hidden />
            <span className="user-names">
              <span className="user-name">{position.name}</span>
              <span className="user-role">
                {t(movement)}
                {movement === "moving" && position.speed !== null
                  ? ` · ${formats.number(Math.round(position.speed))} km/h`
                  : ""}
              </span>
            </span>
            <span className="quiet person-age">
              {position.createdTime ? formats.ago(position.createdTime, now) : ""}
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
