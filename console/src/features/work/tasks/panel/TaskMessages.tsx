import { useMessages } from "../../../../i18n/language.tsx"
import { MessagesPanel } from "../../messages/MessagesPanel.tsx"
import { messageTexts } from "../../messages/message-texts.ts"

/** The conversation about a task, in its panel. */
export default function TaskMessages({ taskId }: { taskId: string }) {
  const t = useMessages(messageTexts)
  return (
    <div>
      <h3 className="panel-heading">{t("title")}</h3>
      <div className="task-messages">
        <MessagesPanel open={{ taskId }} />
      </div>
    </div>
  )
}
