import { Input, Menu, Pill, TextInput } from "@mantine/core"
import { IconLink } from "@tabler/icons-react"
import { useMessages } from "../../../i18n/language.tsx"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { automationMessages } from "./messages.ts"

/** A field of what happened, which a value can be taken from. */
export interface SourceField {
  id: string
  title: string
  /** The values that it can have, where they are known. */
  options?: readonly { value: string; label: string }[] | undefined
}

const referencePattern = /^\$ref(?:Flow|Data)\.(.+)$/

/** A value that is written here, or taken from what happened. */
export function ReferenceInput({
  label,
  description,
  value,
  prefix,
  fields,
  onChange,
}: {
  label: string
  description?: string
  value: string
  /** What references start with, by the kind of what happened. */
  prefix: "$refFlow." | "$refData."
  fields: readonly SourceField[]
  onChange(value: string): void
}) {
  const t = useMessages(automationMessages)
  const taken = referencePattern.exec(value)?.[1]
  const menu = (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={IconLink} label={`${t("take")}: ${label}`} />
      </Menu.Target>
      <Menu.Dropdown mah={300} style={{ overflowY: "auto" }}>
        {fields.map(({ id, title }) => (
          <Menu.Item key={id} onClick={() => onChange(`${prefix}${id}`)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
  if (taken === undefined)
    return (
      <TextInput
        label={label}
        description={description}
        {...bindText(value, onChange)}
        rightSection={fields.length > 0 ? menu : null}
      />
    )
  const title = fields.find(({ id }) => id === taken)?.title ?? taken
  return (
    <Input.Wrapper label={label} description={description}>
      <Input component="div" rightSection={fields.length > 0 ? menu : null} rightSectionPointerEvents="auto">
        <Pill withRemoveButton onRemove={() => onChange("")}>
          {t("taken", { field: title })}
        </Pill>
      </Input>
    </Input.Wrapper>
  )
}
