import { Checkbox, Group, Select, Stack, TagsInput, TextInput } from "@mantine/core"
import { IconGripVertical, IconKey, IconPlus, IconTrash } from "@tabler/icons-react"
import { type DragEvent, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { MoveButtons } from "../../../ui/actions/MoveButtons.tsx"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import type { DataField } from "./data-types.queries.ts"
import { FieldInput } from "./FieldInput.tsx"
import { dataTypeMessages } from "./messages.ts"
import { addField, fieldKinds, moveField } from "./type-draft.ts"

export interface FieldEditorProps {
  fields: readonly DataField[]
  /** Fields that the stored type has: their ids stay. */
  known: ReadonlySet<string>
  onChange(fields: DataField[]): void
}

/** The fields in their order, dragged or moved by buttons, with the settings of the chosen one next to them. */
export function FieldEditor({ fields, onChange }: FieldEditorProps) {
  const t = useMessages(dataTypeMessages)
  const [chosenId, setChosen] = useState(fields[0]?.id)
  const chosen = fields.find((field) => field.id === chosenId)
  const [dragged, setDragged] = useState<number>()
  const edit = (part: Partial<DataField>) =>
    onChange(fields.map((field) => (field.id === chosenId ? { ...field, ...part } : field)))
  const add = () => {
    const next = addField(fields, "")
    onChange(next)
    setChosen(next.at(-1)?.id)
  }
  const move = (from: number, to: number) => {
    if (to >= 0 && to < fields.length) onChange(moveField(fields, from, to))
  }
  const kindLabel = (type: string) => t(type as "text")
  return (
    <div className="builder">
      <section aria-label={t("fieldList")}>
        <ol className="builder-fields">
          {fields.map((field, index) => (
            <li
              key={field.id}
              className="builder-field"
              data-chosen={field.id === chosenId}
              draggable
              onDragStart={() => setDragged(index)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event: DragEvent) => event.preventDefault()}
              onDrop={() => {
                if (dragged !== undefined) move(dragged, index)
              }}
            >
              {field.primaryKey ? (
                <IconKey size={16} aria-hidden />
              ) : (
                <IconGripVertical size={16} className="quiet" aria-hidden />
              )}
              <button
                type="button"
                className="builder-choose"
                aria-pressed={field.id === chosenId}
                onClick={() => setChosen(field.id)}
              >
                <span>{field.title || "…"}</span>
                <span className="quiet">
                  {kindLabel(field.type)} · {field.required ? t("required") : t("optional")}
                </span>
              </button>
              <MoveButtons
                index={index}
                count={fields.length}
                name={field.title}
                onMove={(to) => move(index, to)}
              />
              <IconButton
                icon={IconTrash}
                label={t("removeField", { title: field.title })}
                iconSize={15}
                size="sm"
                disabled={field.primaryKey}
                onClick={() => onChange(fields.filter(({ id }) => id !== field.id))}
              />
            </li>
          ))}
        </ol>
        <ActionButton icon={IconPlus} label={t("addField")} variant="light" mt="sm" onClick={add} />
      </section>
      {chosen ? (
        <section className="builder-settings" aria-label={t("fieldSettings")}>
          <Stack gap="sm">
            <TextInput
              key={`${chosen.id}-title`}
              label={t("fieldTitle")}
              required
              withAsterisk={false}
              maxLength={255}
              autoFocus={chosen.title === ""}
              {...bindText(chosen.title, (title) => edit({ title }))}
            />
            {chosen.primaryKey ? (
              <p className="hint">{t("isKey")}</p>
            ) : (
              <>
                <Select
                  label={t("kind")}
                  data={fieldKinds.map((kind) => ({ value: kind, label: kindLabel(kind) }))}
                  value={chosen.type}
                  onChange={(type) => edit({ type: type ?? "text", default: null })}
                />
                {chosen.type === "option" ? (
                  <TagsInput
                    label={t("options")}
                    description={t("optionsHint")}
                    required
                    withAsterisk={false}
                    value={chosen.optionData}
                    onChange={(optionData) => edit({ optionData })}
                  />
                ) : null}
                <FieldInput
                  field={{ ...chosen, required: false, description: null }}
                  label={t("default")}
                  value={chosen.default}
                  onChange={(value) => edit({ default: value })}
                />
              </>
            )}
            <TextInput
              label={t("description")}
              maxLength={2000}
              {...bindText(chosen.description ?? "", (text) => edit({ description: text || null }))}
            />
            <Group>
              <Checkbox
                label={t("required")}
                disabled={chosen.primaryKey}
                {...bindChecked(chosen.required, (required) => edit({ required }))}
              />
              <Checkbox label={t("show")} {...bindChecked(chosen.show, (show) => edit({ show }))} />
            </Group>
          </Stack>
        </section>
      ) : null}
    </div>
  )
}
