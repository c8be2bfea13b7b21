import { Code } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { trackerMessages } from "./tracker-messages.ts"
import { type Tracker, type TrackerMessage, trackerMessagesQuery } from "./trackers.queries.ts"

const kinds = ["login", "position", "status", "other", "unreadable"] as const

/** The last 100 messages of a device as they arrived, and what became of them. */
export function TrackerLog({ tracker, onClose }: { tracker: Tracker; onClose(): void }) {
  const t = useMessages(trackerMessages)
  const formats = useFormats()
  const { data: messages, error } = useQuery(trackerMessagesQuery(tracker._id))
  const kindOf = ({ kind }: TrackerMessage) => {
    const known = kinds.find((one) => one === kind)
    return known ? t(known) : kind
  }
  return (
    <OpenModal size="xl" title={t("messagesTitle", { name: tracker.name })} onClose={onClose}>
      <FormError error={error} />
      {messages?.length === 0 ? <p className="quiet">{t("noMessages")}</p> : null}
      {messages && messages.length > 0 ? (
        <DataTable
          rows={messages}
          keyOf={({ number }) => number}
          columns={[
            {
              title: t("received"),
              kind: "quiet",
              cell: (message) => (
                <>
                  {formats.dateTime(message.receivedTime)}
                  <div>{kindOf(message)}</div>
                </>
              ),
            },
            {
              title: t("content"),
              cell: (message) => (
                <>
                  <Code className="raw-frame" tabIndex={0}>
                    {message.text?.trim() ?? message.hex}
                  </Code>
                  <div className="quiet">
                    {t("bytes", { count: message.size })}
                    {message.positions > 0 ? ` · ${t("stored", { count: message.positions })}` : ""}
                  </div>
                  {message.note ? <div className="overdue">{message.note}</div> : null}
                </>
              ),
            },
          ]}
        />
      ) : null}
    </OpenModal>
  )
}
