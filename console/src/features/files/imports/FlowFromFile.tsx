import { Checkbox, Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { builderMessages } from "../../work/flows/builder/builder-messages.ts"
import { inputTypeMessages, inputTypes } from "../../work/flows/fields/input-type.ts"
import { componentsOf, type Flow, flowsQuery } from "../../work/flows/flows.queries.ts"
import { fieldsOfFile, flowOfFields, type NewField, titleOf } from "./flow-from-file.ts"
import { flowFromFileMessages } from "./flow-from-file-messages.ts"
import type { Preview } from "./imports.queries.ts"

interface FlowFromFileProps {
  preview: Preview
  /** The flow that the file was read for. */
  flow: Flow | undefined
  onCreated(flowId: string): void
  onClose(): void
}

/** Creates a flow whose fields are the columns of a file. */
export default function FlowFromFile({ preview, flow, onCreated, onClose }: FlowFromFileProps) {
  const t = useMessages(flowFromFileMessages)
  const tBuilder = useMessages(builderMessages)
  const tType = useMessages(inputTypeMessages)
  const [name, setName] = useState(preview.filename.replace(/\.[^.]*$/, "").slice(0, 100))
  const [fields, setFields] = useState(() =>
    fieldsOfFile(preview, new Set(flow ? componentsOf(flow).map(({ id }) => id) : []), t("place")),
  )
  const [title, setTitle] = useState(() => titleOf(fields))
  const included = fields.filter(({ isIncluded }) => isIncluded)
  const chosenTitle = included.some((field) => field.title === title) ? title : titleOf(included)
  const change = (field: NewField, part: Partial<NewField>) =>
    setFields(fields.map((other) => (other === field ? { ...field, ...part } : other)))
  const create = useAction(
    async () => {
      const body = flowOfFields(name.trim(), fields, {
        title: chosenTitle,
        planPage: tBuilder("planPage"),
        workPage: tBuilder("workPage"),
        note: t("note"),
        photos: t("photos"),
      })
      return (await server.post("/api/v3/flow", { body })).flow
    },
    {
      refreshes: [flowsQuery.queryKey],
      done: () => t("created", { name: name.trim() }),
      onDone: ({ _id }) => onCreated(_id),
    },
  )
  return (
    <FormDialog
      title={t("title")}
      submit={t("create")}
      request={create}
      isDisabled={name.trim() === "" || included.length === 0}
      size="lg"
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <p className="quiet">{t("text")}</p>
      <TextInput label={t("name")} required maxLength={100} data-autofocus {...bindText(name, setName)} />
      <table className="plain-table mapper-table">
        <thead>
          <tr>
            <th>{t("column")}</th>
            <th>{t("type")}</th>
            <th className="from-sm">{t("sample")}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.headers[0] ?? field.title}>
              <td>
                <Checkbox
                  label={field.headers.join(" + ") || field.title}
                  {...bindChecked(field.isIncluded, (isIncluded) => change(field, { isIncluded }))}
                />
              </td>
              <td className="mapper-choice">
                <Select
                  aria-label={t("typeOf", { column: field.title })}
                  data={inputTypes.map((type) => ({ value: type, label: tType(type) }))}
                  value={field.type}
                  disabled={!field.isIncluded || field.headers.length !== 1}
                  allowDeselect={false}
                  onChange={(type) => type && change(field, { type })}
                />
              </td>
              <td className="quiet from-sm mapper-sample">
                {field.headers.length === 0 ? t("byAddress") : field.sample}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Select
        label={t("taskTitle")}
        description={t("taskTitleHint")}
        data={included.map((field) => field.title)}
        value={chosenTitle ?? null}
        allowDeselect={false}
        comboboxProps={{ position: "top", shadow: "md" }}
        onChange={(next) => next && setTitle(next)}
      />
    </FormDialog>
  )
}
