import { Alert, Button, Group } from "@mantine/core"
import {
  IconAlertTriangle,
  IconClockExclamation,
  IconCloudOff,
  IconCloudUp,
  IconDatabaseExclamation,
  IconHourglass,
  IconUserQuestion,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useWrongClock } from "./clock.ts"
import type { Reach } from "./connection.ts"
import { myDoneQuery, readAtKey } from "./field.queries.ts"
import { useField, useHeld } from "./field-context.ts"
import { discardRefused, makeRefusedUnsent } from "./kept/field-positions.ts"
import type { Notice } from "./kept/field-sync.ts"
import { noticeMessages } from "./notice-messages.ts"
import { RefusedWork } from "./RefusedWork.tsx"
import { OrphanedDrafts } from "./stop/OrphanedDrafts.tsx"
import { useStopTimes } from "./stop/stop-times.ts"

const seenKey = "fieldway.seen-additions"

/** How things stand between the phone and the server, above every page. */
export function FieldNotices({ reach, isNotKept }: { reach: Reach; isNotKept: boolean }) {
  const t = useMessages(noticeMessages)
  const { setNotKept, refresh } = useField()
  const { waiting } = useHeld()
  const unsent = waiting.filter((entry) => entry.refusal === undefined)
  const messages = unsent.filter(({ kind }) => kind === "message").length
  const pending = new Set(unsent.filter(({ kind }) => kind !== "message").map(({ taskId }) => taskId)).size
  return (
    <div className="field-notices">
      <Away reach={reach} pending={pending} />
      <WrongClock />
      {isNotKept ? (
        <Alert
          color="red"
          role="alert"
          icon={<IconDatabaseExclamation size={20} />}
          title={t("notKeptTitle")}
        >
          {t("notKept")}
          <Group mt="xs">
            <Button component={Link} to={paths.fieldPhone} size="md" variant="default">
              {t("whatUses")}
            </Button>
            <Button
              size="md"
              variant="subtle"
              onClick={() => {
                setNotKept(false)
                void refresh()
              }}
            >
              {t("close")}
            </Button>
          </Group>
        </Alert>
      ) : null}
      {pending > 0 && reach !== "signedOut" ? (
        <div className="field-notice" role="status">
          <IconCloudUp size={20} aria-hidden /> {t("waiting", { count: pending })}
        </div>
      ) : null}
      {messages > 0 && reach !== "signedOut" ? (
        <div className="field-notice" role="status">
          <IconCloudUp size={20} aria-hidden /> {t("messagesWait", { count: messages })}
        </div>
      ) : null}
      {waiting
        .filter((entry) => entry.refusal !== undefined)
        .map((entry) => (
          <RefusedWork key={entry.id} entry={entry} />
        ))}
      <OrphanedDrafts />
      <RefusedPositions />
      <Outcomes />
      <OthersAdditions />
    </div>
  )
}

/** Without a network, a server or a session: what that means for the work, and what to do. */
function Away({ reach, pending }: { reach: Reach; pending: number }) {
  const t = useMessages(noticeMessages)
  const times = useStopTimes()
  const { store } = useField()
  const { href } = useLocation()
  const [readAt, setReadAt] = useState<string>()
  useEffect(() => {
    if (reach !== "online") void store.recall<string>("reads", readAtKey).then(setReadAt)
  }, [reach, store])
  if (reach === "online") return null
  if (reach === "signedOut")
    return (
      <Alert color="yellow" role="alert" icon={<IconUserQuestion size={20} />} title={t("signedOutTitle")}>
        {pending > 0 ? t("signedOut", { count: pending }) : t("signedOutEmpty")}
        <Group mt="xs">
          <Button
            size="md"
            renderRoot={(props) => <Link {...props} to={paths.signIn} search={{ next: href }} />}
          >
            {t("signIn")}
          </Button>
        </Group>
      </Alert>
    )
  return (
    <div className="field-notice" role="status">
      {reach === "slow" ? <IconHourglass size={20} aria-hidden /> : <IconCloudOff size={20} aria-hidden />}
      <span>
        {t(reach)}
        {readAt ? ` ${t("asOf", { time: times.at(readAt) })}` : ""}
      </span>
    </div>
  )
}

const minute = 60_000

function WrongClock() {
  const t = useMessages(noticeMessages)
  const ahead = useWrongClock()
  if (ahead === undefined) return null
  const minutes = Math.round(Math.abs(ahead) / minute)
  const by =
    minutes < 120 ? t("minutes", { count: minutes }) : t("hours", { count: Math.round(minutes / 60) })
  return (
    <div className="field-notice" data-kind="warning" role="status">
      <IconClockExclamation size={20} aria-hidden /> {t(ahead > 0 ? "clockAhead" : "clockBehind", { by })}
    </div>
  )
}

/** Positions that the server does not take: kept until the person says what becomes of them. */
function RefusedPositions() {
  const t = useMessages(noticeMessages)
  const { store, send, refresh } = useField()
  const { refusedPositions } = useHeld()
  if (!refusedPositions) return null
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle size={20} />}>
      {t("positionsRefused", refusedPositions)}
      <Group mt="xs">
        <Button size="md" onClick={() => void makeRefusedUnsent(store).then(send)}>
          {t("again")}
        </Button>
        <Button
          size="md"
          variant="subtle"
          color="red"
          onClick={() => {
            if (window.confirm(t("discardPositions", refusedPositions)))
              void discardRefused(store).then(refresh)
          }}
        >
          {t("discard")}
        </Button>
      </Group>
    </Alert>
  )
}

/** What became of one's own work where that was not simply that it was stored. */
function Outcomes() {
  const t = useMessages(noticeMessages)
  const times = useStopTimes()
  const { store, refresh } = useField()
  const { notices } = useHeld()
  return notices.map(({ id, title, first, session, warnings = [] }) => (
    <Alert
      key={id}
      color="blue"
      role="status"
      withCloseButton
      closeButtonLabel={t("close")}
      onClose={() => void store.write([{ in: "notices", remove: id }]).then(refresh)}
    >
      {session ? <SettledSession session={session} /> : null}
      {warnings.length > 0
        ? t("leftOut", { title, warnings: warnings.join("; ") })
        : first
          ? t("addedTo", { title, by: first.by, time: times.at(first.time) })
          : session
            ? null
            : t("added", { title })}
    </Alert>
  ))
}

function SettledSession({ session: { marks, since } }: { session: NonNullable<Notice["session"]> }) {
  const t = useMessages(noticeMessages)
  const times = useStopTimes()
  if (marks === "finish") return t("wasFinished")
  return since ? t("wasOpenSince", { time: times.at(since) }) : t("wasOpen")
}

/** Others finished what this person had finished before: the first learns of it too. */
function OthersAdditions() {
  const t = useMessages(noticeMessages)
  const times = useStopTimes()
  const { user } = useSession()
  const { store } = useField()
  const { data: done = [] } = useQuery(myDoneQuery(store, user.email))
  const [seen, setSeen] = useState<readonly string[]>(() => readSeen())
  const additions = done
    .filter(({ doneBy }) => doneBy === user.email)
    .flatMap(({ title, flow, additions = [] }) =>
      additions.map((addition) => ({ ...addition, title: title ?? flow ?? "" })),
    )
    .filter(({ _id, doneBy }) => doneBy !== user.email && !seen.includes(_id))
  return additions.map(({ _id, title, doneBy, doneTime }) => (
    <Alert
      key={_id}
      color="blue"
      role="status"
      withCloseButton
      closeButtonLabel={t("close")}
      onClose={() => {
        const next = [...seen, _id].slice(-100)
        localStorage.setItem(seenKey, JSON.stringify(next))
        setSeen(next)
      }}
    >
      {t("alsoDone", { title, by: doneBy, time: times.at(doneTime) })}
    </Alert>
  ))
}

function readSeen(): string[] {
  try {
    const seen: unknown = JSON.parse(localStorage.getItem(seenKey) ?? "[]")
    return Array.isArray(seen) ? seen.map(String) : []
  } catch {
    return []
  }
}
