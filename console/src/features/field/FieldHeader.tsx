import { ActionIcon } from "@mantine/core"
import { IconArrowLeft } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { inboxMessages } from "./inbox/inbox-messages.ts"

/** The head of a page that is opened from the list of stops. */
export function FieldHeader({
  title,
  detail,
  backToInbox = false,
  children,
}: {
  title: string
  detail?: string
  backToInbox?: boolean
  children?: ReactNode
}) {
  const t = useMessages(inboxMessages)
  return (
    <header className="field-header">
      <ActionIcon
        component={Link}
        to={backToInbox ? paths.fieldInbox : paths.field}
        size={48}
        aria-label={t(backToInbox ? "open" : "back")}
      >
        <IconArrowLeft size={24} />
      </ActionIcon>
      <div className="user-names">
        <h1 className="two-lines" dir="auto">
          {title}
        </h1>
        {detail === undefined ? null : <span className="user-role truncate">{detail}</span>}
      </div>
      {children}
    </header>
  )
}
