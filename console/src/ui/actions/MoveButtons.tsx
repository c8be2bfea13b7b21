import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { IconButton } from "./ActionButton.tsx"

interface MoveButtonsProps {
  index: number
  count: number
  /** Names the entry to screen readers. */
  name: string
  onMove(to: number): void
}

/** Moves an entry of a list up or down, for keyboards and screen readers. */
export function MoveButtons({ index, count, name, onMove }: MoveButtonsProps) {
  const t = useMessages(shellMessages)
  const size = { size: "sm", iconSize: 15 }
  return (
    <>
      <IconButton
        {...size}
        icon={IconArrowUp}
        label={`${t("moveUp")}: ${name}`}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      />
      <IconButton
        {...size}
        icon={IconArrowDown}
        label={`${t("moveDown")}: ${name}`}
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
      />
    </>
  )
}
