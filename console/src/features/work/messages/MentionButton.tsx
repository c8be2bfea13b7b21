import { ActionIcon, Popover, Select } from "@mantine/core"
import { IconAt } from "@tabler/icons-react"
import { useMessages } from "../../../i18n/language.tsx"
import type { Mentionable } from "./mentions.ts"
import { messageTexts } from "./message-texts.ts"

interface MentionButtonProps {
  people: readonly Mentionable[]
  /** Pixels. */
  size: number
  isOpen: boolean
  onOpen(isOpen: boolean): void
  onChoose(name: string): void
}

/** Puts a person's name into the message, also opened by typing @; the person who is named gets a notice. */
export function MentionButton({ people, size, isOpen, onOpen, onChoose }: MentionButtonProps) {
  const t = useMessages(messageTexts)
  return (
    <Popover opened={isOpen} onChange={onOpen} position="top-start" trapFocus shadow="md">
      <Popover.Target>
        <ActionIcon size={size} variant="default" aria-label={t("mention")} onClick={() => onOpen(!isOpen)}>
          <IconAt size={20} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("mention")}>
        <Select
          aria-label={t("mention")}
          placeholder={t("mention")}
          searchable
          data-autofocus
          selectFirstOptionOnChange
          w={220}
          comboboxProps={{ withinPortal: false }}
          data={people.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          onChange={(id) => {
            const person = people.find((one) => one.id === id)
            onOpen(false)
            if (person) onChoose(person.name)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
