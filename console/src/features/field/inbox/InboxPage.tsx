import "../field.css"
import "../../work/messages/messages.css"
import { Badge, Button } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { ConversationList } from "../../work/messages/ConversationList.tsx"
import { useIsReachable } from "../connection.ts"
import { FieldHeader } from "../FieldHeader.tsx"
import { useField } from "../field-context.ts"
import { useStopTimes } from "../stop/stop-times.ts"
import {
  type InboxNotice,
  keepReadNotices,
  myConversationsQuery,
  myNoticesQuery,
  sendReadNotices,
} from "./inbox.queries.ts"
import { inboxMessages } from "./inbox-messages.ts"
import { pushState, startPush, stopPush } from "./push.ts"

/** What others changed about the person's tasks, and their conversations; readable without a network. */
export function InboxPage() {
  const t = useMessages(inboxMessages)
  const times = useStopTimes()
  const { user } = useSession()
  const { store } = useField()
  const { data: conversations } = useQuery(myConversationsQuery(store))
  return (
    <>
      <FieldHeader title={t("title")} />
      <main className="field-main">
        <PushSection />
        <Notices />
        <section className="field-section" aria-label={t("conversations")}>
          <h2>{t("conversations")}</h2>
          <Button
            size="lg"
            variant="light"
            fullWidth
            renderRoot={(props) => <Link {...props} to={paths.fieldMessages} search={{ userId: user._id }} />}
          >
            {t("planner")}
          </Button>
          {conversations && conversations.data.length > 0 ? (
            <ConversationList
              timeText={times.at}
              conversations={conversations.data.map((one) =>
                one.userId === user._id ? { ...one, title: t("plannerTitle") } : one,
              )}
              renderEntry={({ taskId, userId, unread }, content) => (
                <Link
                  className="conversation"
                  data-unread={unread > 0 || undefined}
                  to={paths.fieldMessages}
                  search={taskId ? { taskId } : { userId: userId ?? "" }}
                >
                  {content}
                </Link>
              )}
            />
          ) : null}
        </section>
      </main>
    </>
  )
}

function Notices() {
  const t = useMessages(inboxMessages)
  const client = useQueryClient()
  const { store } = useField()
  const { data, error } = useQuery(myNoticesQuery(store))
  const unreadIds = data?.data.flatMap(({ _id, isRead }) => (isRead ? [] : [_id])).join(" ") ?? ""
  // What is on the screen is read. The marks stay until the page is opened again.
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (unreadIds === "") return
    const ids = unreadIds.split(" ")
    setFresh((before) => new Set([...before, ...ids]))
    void keepReadNotices(store, ids)
      .then(() => sendReadNotices(store))
      .catch(() => undefined)
      .then(() => client.invalidateQueries({ queryKey: ["notices"] }))
  }, [unreadIds, store, client])
  return (
    <section className="field-section" aria-label={t("notices")}>
      <h2>{t("notices")}</h2>
      <FormError error={data ? undefined : (error ?? undefined)} />
      {data?.data.length === 0 ? (
        <EmptyState icon={IconBell} title={t("nothing")} text={t("nothingText")} />
      ) : null}
      <ul className="inbox">
        {data?.data.map((notice) => (
          <NoticeEntry key={notice._id} notice={notice} isFresh={fresh.has(notice._id)} />
        ))}
      </ul>
    </section>
  )
}

function NoticeEntry({ notice, isFresh }: { notice: InboxNotice; isFresh: boolean }) {
  const t = useMessages(inboxMessages)
  const times = useStopTimes()
  const { kind, title, count, taskId, createdBy, createdTime } = notice
  const content = (
    <>
      <span>
        <span className="quiet">{t(kind, { count })}</span>
        {isFresh ? <Badge ml="xs">{t("unread")}</Badge> : null}
      </span>
      {title ? <strong>{title}</strong> : null}
      <span className="quiet">{t("by", { by: createdBy, time: times.at(createdTime) })}</span>
    </>
  )
  if (kind === "message" || kind === "mention")
    return (
      <li>
        <Link
          className="inbox-entry"
          to={paths.fieldMessages}
          search={(taskId ? { taskId } : {}) as { taskId?: string }}
        >
          {content}
        </Link>
      </li>
    )
  if (kind === "alert")
    return (
      <li>
        <Link className="inbox-entry" to={paths.alerts}>
          {content}
        </Link>
      </li>
    )
  return (
    <li>
      {taskId && kind !== "taskCancelled" ? (
        <Link className="inbox-entry" to={paths.fieldTask} params={{ taskId }}>
          {content}
        </Link>
      ) : (
        <span className="inbox-entry">{content}</span>
      )}
    </li>
  )
}

function PushSection() {
  const t = useMessages(inboxMessages)
  const { language } = useLanguage()
  const { store } = useField()
  const isReachable = useIsReachable()
  const [state, setState] = useState(() => pushState(store.personKey))
  const [error, setError] = useState<unknown>()
  const [isChanging, setChanging] = useState(false)
  const change = async (run: () => Promise<unknown>) => {
    setChanging(true)
    setError(undefined)
    await run().catch(setError)
    setState(pushState(store.personKey))
    setChanging(false)
  }
  if (state === "none") return null
  const texts = { on: "pushOn", off: "pushOff", blocked: "pushBlocked", install: "pushInstall" } as const
  return (
    <section className="field-section" aria-label={t("push")}>
      <h2>{t("push")}</h2>
      <p className="quiet">{t(texts[state])}</p>
      <FormError error={error} />
      {state === "off" ? (
        <Button
          size="lg"
          fullWidth
          loading={isChanging}
          disabled={!isReachable}
          onClick={() => void change(() => startPush(store.personKey, language))}
        >
          {t("turnOn")}
        </Button>
      ) : null}
      {state === "on" ? (
        <Button
          size="lg"
          fullWidth
          variant="default"
          loading={isChanging}
          onClick={() => void change(() => stopPush(store.personKey))}
        >
          {t("turnOff")}
        </Button>
      ) : null}
    </section>
  )
}
