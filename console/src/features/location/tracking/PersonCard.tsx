import "./tracking.css"
import { Button, CloseButton, Group } from "@mantine/core"
import { IconRoute } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { taskQuery } from "../../work/tasks/tasks.queries.ts"
import { useAttributeFacts } from "./attribute-facts.ts"
import { dayMessages } from "./day-messages.ts"
import { hoursMessages } from "./hours-messages.ts"
import { trackingMessages } from "./messages.ts"
import { movementNow, type Position } from "./positions.ts"

export interface PersonCardProps {
  position: Position
  now: number
  onDay(): void
  onMessage(): void
  onClose(): void
}

/** What the device reported about one person, and how long ago. */
export function PersonCard({ position, now, onDay, onMessage, onClose }: PersonCardProps) {
  const tDay = useMessages(dayMessages)
  const t = useMessages(trackingMessages)
  const tHours = useMessages(hoursMessages)
  const tShell = useMessages(shellMessages)
  const formats = useFormats()
  const { may } = useSession()
  const movement = movementNow(position, now)
  const facts: [string, string | undefined][] = [
    [t("lastSeen"), position.createdTime ? formats.ago(position.createdTime, now) : undefined],
    [t("speed"), position.speed === null ? undefined : formats.speed(position.speed)],
    [t("accuracy"), position.accuracy === null ? undefined : formats.distance(position.accuracy)],
    [
      t("battery"),
      position.battery === null
        ? undefined
        : `${formats.number(Math.round(position.battery))} %${position.charging ? `, ${t("charging")}` : ""}`,
    ],
    ...useAttributeFacts(position),
    [t("source"), sourceName(position.createdFrom, t("phoneApp"))],
  ]
  return (
    <section className="person-card" aria-label={position.name}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap">
          <span className="movement" data-movement={movement} aria-hidden />
          <strong>{position.name}</strong>
          <span className="quiet">{t(movement)}</span>
        </Group>
        <CloseButton aria-label={tShell("close")} onClick={onClose} />
      </Group>
      <dl className="facts">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
        {position.hasOpenSession ? (
          <div>
            <dt>{t("sessionTitle")}</dt>
            <dd>{t("session")}</dd>
          </div>
        ) : null}
        {position.taskId ? <CurrentTask taskId={position.taskId} /> : null}
      </dl>
      <ActionButton icon={IconRoute} label={tDay("openDay")} size="xs" variant="light" onClick={onDay} />
      <Group gap="md">
        {may("view/task") ? (
          <Button size="xs" variant="subtle" onClick={onMessage}>
            {tHours("message")}
          </Button>
        ) : null}
        <Link to={paths.tasks} search={{ assignee: position.email }} className="quiet-link">
          {t("tasks")}
        </Link>
      </Group>
    </section>
  )
}

/** The task that the device reports as current, by its title. */
function CurrentTask({ taskId }: { taskId: string }) {
  const t = useMessages(trackingMessages)
  const { may } = useSession()
  const { data: task } = useQuery({ ...taskQuery(taskId), enabled: may("view/task"), retry: false })
  if (!may("view/task")) return null
  return (
    <div>
      <dt>{t("task")}</dt>
      <dd>
        <Link to={paths.tasks} search={{ task: taskId }} className="quiet-link">
          {task?.title ?? t("showTask")}
        </Link>
      </dd>
    </div>
  )
}

/** The app of the reference API has a name of its own on the wire, which says nothing to people. */
function sourceName(source: string | null, phoneApp: string): string | undefined {
  return source === "mileAppField" ? phoneApp : (source ?? undefined)
}
