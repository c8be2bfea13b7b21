import "./settings.css"
import { Anchor, Badge, Button, CopyButton, Modal, UnstyledButton } from "@mantine/core"
import { IconMail } from "@tabler/icons-react"
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { settingsMessages } from "./messages.ts"

const maxMessages = 200

const outboxQuery = queryOptions({
  queryKey: ["outbox"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/outbox", { query: { limit: maxMessages }, signal }))).data,
})

export const loader: PageLoader = ({ client }) => client.ensureQueryData(outboxQuery)

/** Messages that the server sent, or stored because it has no mail server. */
export function OutboxPage() {
  const t = useMessages(settingsMessages)
  const formats = useFormats()
  const [openId, setOpenId] = useState<string>()
  const { data: messages } = useSuspenseQuery(outboxQuery)
  const opened = messages.find((message) => message._id === openId)
  if (messages.length === 0)
    return <EmptyState icon={IconMail} title={t("outboxEmpty")} text={t("outboxText")} />
  return (
    <>
      <DataTable
        rows={messages}
        keyOf={({ _id }) => _id}
        columns={[
          { title: t("to"), from: "sm", className: "breakable", cell: (message) => message.recipient },
          {
            title: t("subject"),
            cell: (message) => (
              <>
                <UnstyledButton className="row-link" onClick={() => setOpenId(message._id)}>
                  {message.subject}
                </UnstyledButton>
                <div className="quiet breakable to-sm">{message.recipient}</div>
              </>
            ),
          },
          {
            title: t("state"),
            cell: (message) => (
              <>
                <Badge color={message.sentTime ? "pine" : "gray"}>
                  {message.sentTime ? t("sent") : t("kept")}
                </Badge>
                {message.error ? <div className="overdue">{message.error}</div> : null}
              </>
            ),
          },
          {
            title: t("when"),
            from: "sm",
            kind: "quiet",
            cell: (message) => formats.dateTime(message.createdTime),
          },
        ]}
      />
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpenId(undefined)}
        title={opened?.subject}
        size="lg"
      >
        <MessageText text={opened?.text ?? ""} />
      </Modal>
    </>
  )
}

/** A message as it was written; each of its links can be followed or copied. */
function MessageText({ text }: { text: string }) {
  const t = useMessages(settingsMessages)
  const parts = text.split(/(https?:\/\/\S+)/)
  const links = parts.filter((part) => /^https?:\/\//.test(part))
  return (
    <>
      <pre className="message-text">
        {parts.map((part, index) =>
          index % 2 === 1 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place
            <Anchor key={index} href={part} inherit>
              {part}
            </Anchor>
          ) : (
            part
          ),
        )}
      </pre>
      {links.map((link) => (
        <CopyButton key={link} value={link}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" mt="sm" onClick={copy}>
              {copied ? t("copied") : t("copyLink")}
            </Button>
          )}
        </CopyButton>
      ))}
    </>
  )
}
