import { Modal } from "@mantine/core"
import { IconHistory } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { IconButton } from "../actions/ActionButton.tsx"
import { historyMessages } from "./history-messages.ts"
import type { HistoryObject } from "./object-history.queries.ts"
import { LazyHistory } from "./WithHistory.tsx"

interface HistoryButtonProps extends HistoryObject {
  name: string
}

/** Opens the history of an object that has no page or form of its own. */
export function HistoryButton({ name, ...object }: HistoryButtonProps) {
  const t = useMessages(historyMessages)
  const [isOpen, setOpen] = useState(false)
  const title = `${t("history")}: ${name}`
  return (
    <>
      <IconButton icon={IconHistory} label={title} onClick={() => setOpen(true)} />
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title}>
        <LazyHistory {...object} />
      </Modal>
    </>
  )
}
