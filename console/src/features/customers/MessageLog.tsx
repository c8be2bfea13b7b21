import { Badge } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../api/server.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { ConfirmDialog } from "../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { messageLogQuery } from "./messaging.queries.ts"
import { messagingMessages } from "./messaging-messages.ts"

const colors: Record<string, string> = {
  delivered: "pine",
  read: "pine",
  sent: "pine",
  failed: "red",
  uncertain: "orange",
}

/** A customer receives it twice: somebody has to mean it. */
const delivered: ReadonlySet<string> = new Set(["sent", "delivered", "read"])
const undelivered: ReadonlySet<string> = new Set(["failed", "skipped", "uncertain"])

/** What was sent to customers, or was not, and why. */
export function MessageLog() {
  const t = useMessages(messagingMessages)
  const formats = useFormats()
  const { data: messages = [] } = useQuery(messageLogQuery)
  const resend = useAction(
    (messageId: string) => server.post("/api/v3/customer-message/{messageId}/resend", { messageId }),
    { refreshes: [messageLogQuery.queryKey], done: () => t("resent"), failed: () => t("resend") },
  )
  const [asked, setAsked] = useState<{ _id: string; recipient: string }>()
  return (
    <section aria-label={t("log")}>
      <h2 className="panel-heading">{t("log")}</h2>
      {messages.length === 0 ? <p className="quiet">{t("noMessages")}</p> : null}
      <DataTable
        rows={messages}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("recipient"),
            kind: "name",
            className: "breakable",
            cell: (row) => <bdi dir="ltr">{row.recipient || "–"}</bdi>,
          },
          {
            title: t("event"),
            from: "sm",
            cell: ({ event, resendOf }) => (
              <>
                {t(`event_${event}` as "event_planned")}
                {resendOf ? <div className="quiet">{t("sentAgain")}</div> : null}
              </>
            ),
          },
          {
            title: t("state"),
            cell: ({ status, reason, providerStatus }) => (
              <>
                <Badge color={colors[status] ?? "gray"}>{t(`status_${status}` as "status_sent")}</Badge>
                {providerStatus ? (
                  <div className="quiet breakable">{t("fromProvider", { status: providerStatus })}</div>
                ) : null}
                {reason ? <div className="quiet breakable">{reason}</div> : null}
              </>
            ),
          },
          {
            title: t("time"),
            from: "sm",
            kind: "quiet",
            cell: ({ sentTime, createdTime }) => formats.dateTime(sentTime ?? createdTime),
          },
          {
            title: t("resend"),
            kind: "actions",
            cell: ({ _id, status, recipient }) =>
              recipient !== "" && (delivered.has(status) || undelivered.has(status)) ? (
                <RowButton
                  label={t("resend")}
                  of={recipient}
                  onClick={() => (delivered.has(status) ? setAsked({ _id, recipient }) : resend.mutate(_id))}
                />
              ) : null,
          },
        ]}
      />
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={t("resend")}
        text={t("resendSent", { recipient: `\u2066${asked?.recipient ?? ""}\u2069` })}
        confirm={t("resend")}
        onConfirm={() => asked && resend.mutate(asked._id)}
        onClose={() => setAsked(undefined)}
      />
    </section>
  )
}
