import { lazy, Suspense } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { messageTexts } from "./message-texts.ts"
import type { ConversationKey } from "./messages.queries.ts"

const MessagesPanel = lazy(async () => ({ default: (await import("./MessagesPanel.tsx")).MessagesPanel }))

/** What people have written about a record or a route, beside it. */
export function Comments({ of }: { of: ConversationKey }) {
  const t = useMessages(messageTexts)
  return (
    <section aria-label={t("comments")}>
      <h3 className="panel-heading">{t("comments")}</h3>
      <div className="task-messages">
        <Suspense fallback={null}>
          <MessagesPanel open={of} />
        </Suspense>
      </div>
    </section>
  )
}
