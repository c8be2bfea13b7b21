import { ActionIcon, Popover, Select } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconAt } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { type Mentionable, mentionableQuery } from "./mentions.ts"
import { messageTexts } from "./message-texts.ts"
import type { ConversationKey } from "./messages.queries.ts"

interface MentionButtonProps {
  conversation: ConversationKey
  /** Pixels. */
  size: number
  isOpen: boolean
  onOpen(isOpen: boolean): void
  onChoose(person: Mentionable): void
}

/** Puts a person's name into the message, also opened by typing @; the person who is named gets a notice. */
export function MentionButton({ conversation, size, isOpen, onOpen, onChoose }: MentionButtonProps) {
  const t = useMessages(messageTexts)
  const [sought, setSought] = useState("")
  const [part] = useDebouncedValue(sought, 200)
  const { data: people } = useQuery({
    ...mentionableQuery(conversation, part),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
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
          // The server has searched, in e-mail addresses too.
          filter={({ options }) => options}
          nothingFoundMessage={people && part === sought ? t("nobodySees") : t("searching")}
          searchValue={sought}
          onSearchChange={setSought}
          data={(people ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          onChange={(id) => {
            const person = people?.find((one) => one.id === id)
            onOpen(false)
            setSought("")
            if (person) onChoose(person)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
