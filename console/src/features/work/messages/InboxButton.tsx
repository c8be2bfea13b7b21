import "./messages.css"
import { ActionIcon, Button, Indicator, Popover } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { usePeopleNames } from "../tasks/people.ts"
import { dataTypeOf, type InboxNotice, inboxQuery, readNotices } from "./inbox.queries.ts"
import { messageTexts } from "./message-texts.ts"

const shownUnread = 99

/** What concerns the person: mentions, messages, and changes of their tasks by others. */
export default function InboxButton() {
  const t = useMessages(messageTexts)
  const { data } = useQuery(inboxQuery)
  const [isOpen, setOpen] = useState(false)
  const unread = data?.unread ?? 0
  const readAll = useAction(() => readNotices(), { refreshes: [["notices"]] })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="right-end" trapFocus returnFocus shadow="md">
      <Indicator disabled={unread === 0} label={Math.min(unread, shownUnread)} size={16} offset={4}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={unread > 0 ? t("inboxUnread", { count: unread }) : t("inbox")}
            onClick={() => setOpen((was) => !was)}
          >
            <IconBell size={19} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t("inbox")} p={0}>
        <div className="inbox-list">
          {data?.data.length === 0 ? (
            <EmptyState icon={IconBell} title={t("nothing")} text={t("nothingText")} />
          ) : null}
          <ul className="conversations">
            {data?.data.map((notice) => (
              <li key={notice._id}>
                <NoticeEntry notice={notice} onOpen={() => setOpen(false)} />
              </li>
            ))}
          </ul>
          {unread > 0 ? (
            <Button
              variant="subtle"
              size="xs"
              m={6}
              loading={readAll.isPending}
              onClick={() => readAll.mutate()}
            >
              {t("allRead")}
            </Button>
          ) : null}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function NoticeEntry({ notice, onOpen }: { notice: InboxNotice; onOpen(): void }) {
  const t = useMessages(messageTexts)
  const tShell = useMessages(shellMessages)
  const formats = useFormats()
  const navigate = useNavigate()
  const people = usePeopleNames()
  const { _id, kind, title, taskId, about, aboutId, count, createdBy, createdTime, isRead } = notice
  const by = people.get(createdBy) ?? createdBy
  const words = {
    taskNew: () => t("noticeNew", { count }),
    taskChanged: () => t("noticeChanged", { count }),
    taskCancelled: () => t("noticeCancelled", { count }),
    message: () => t("messageFrom", { name: by }),
    mention: () => t("mentioned", { name: by }),
    alert: () => tShell("alerts"),
  }
  const open = useAction(
    async () => {
      if (!isRead) await readNotices([_id])
      if (taskId && kind !== "taskCancelled") await navigate({ to: paths.tasks, search: { task: taskId } })
      else if (about === "alert") await navigate({ to: paths.alerts })
      else if (about === "route" && aboutId)
        await navigate({ to: paths.route, params: { resultId: aboutId }, search: { view: "comments" } })
      else if (about === "record" && aboutId)
        await navigate({
          to: paths.dataType,
          params: { dataTypeId: await dataTypeOf(aboutId) },
          search: { record: aboutId },
        })
    },
    { refreshes: [["notices"]], onDone: onOpen },
  )
  return (
    <button
      type="button"
      className="conversation"
      data-unread={!isRead || undefined}
      onClick={() => open.mutate()}
    >
      <strong>{title ?? words[kind]()}</strong>
      <span className="quiet">{formats.dateTime(createdTime)}</span>
      {title ? <span className="quiet">{words[kind]()}</span> : null}
    </button>
  )
}
