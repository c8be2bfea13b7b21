import { Button, Checkbox, NumberInput, Select, Switch, Tabs, Textarea, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Language, languageNames, languages } from "#shared/languages.ts"
import { server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { hubsQuery } from "../organization/hubs/hubs.queries.ts"
import { componentsOf, type FlowComponent, flowsQuery } from "../work/flows/flows.queries.ts"
import { requestFormMessages } from "./request-form-messages.ts"
import { type RequestForm, type RequestFormBody, requestFormsQuery } from "./request-forms.queries.ts"

type Settings = RequestForm["settings"]

const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }))
const numbers = ["maxKilometers", "dailyCap"] as const
const slotNumbers = ["visitMinutes", "windowMinutes", "days"] as const
const texts = ["introduction", "thanks"] as const

interface Draft {
  name: string
  hubId: string
  flowId: string
  isActive: boolean
  settings: Settings
}

const newSettings: Settings = {
  fields: [],
  needsApproval: true,
  offersSlots: false,
  visitMinutes: 30,
  windowMinutes: 120,
  days: 7,
  maxKilometers: 0,
  dailyCap: 200,
  language: "",
  texts: {},
  frameOrigins: [],
}

interface RequestFormDialogProps {
  form: RequestForm | undefined
  onClose(): void
}

export function RequestFormDialog({ form, onClose }: RequestFormDialogProps) {
  const t = useMessages(requestFormMessages)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const { data: flows = [] } = useQuery(flowsQuery)
  const [draft, setDraft] = useState<Draft>(() => ({
    name: form?.name ?? "",
    hubId: form?.hubId ?? hubs[0]?._id ?? "",
    flowId: form?.flowId ?? "",
    isActive: form?.isActive ?? true,
    settings: form?.settings ?? newSettings,
  }))
  const [origins, setOrigins] = useState(() => draft.settings.frameOrigins.join("\n"))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const set = (part: Partial<Settings>) => change({ settings: { ...draft.settings, ...part } })
  const done = { refreshes: [requestFormsQuery.queryKey], onDone: onClose }
  const save = useAction(
    async () => {
      const frameOrigins = origins.split(/\s+/).filter(Boolean)
      const body = { ...draft, settings: { ...draft.settings, frameOrigins } } as RequestFormBody
      if (form) await server.put("/api/v3/request-form/{formId}", { formId: form._id, body })
      else await server.post("/api/v3/request-form", { body })
    },
    { ...done, done: () => t("saved") },
  )
  const remove = useAction(
    () => server.delete("/api/v3/request-form/{formId}", { formId: form?._id ?? "" }),
    done,
  )
  const flow = flows.find(({ _id }) => _id === draft.flowId)
  return (
    <FormDialog
      title={form ? form.name : t("newForm")}
      history={form && { objectType: "request-form", objectId: form._id }}
      request={save}
      isDisabled={!flow || draft.settings.fields.length === 0}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      size="lg"
      aside={
        form ? (
          <Button color="red" variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("delete")}
          </Button>
        ) : undefined
      }
    >
      <Switch label={t("isActive")} {...bindChecked(draft.isActive, (isActive) => change({ isActive }))} />
      <TextInput
        label={t("name")}
        required
        maxLength={100}
        {...bindText(draft.name, (name) => change({ name }))}
      />
      <div className="customer-columns">
        <Select
          label={t("hub")}
          required
          searchable
          allowDeselect={false}
          data={hubs.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={draft.hubId || null}
          onChange={(hubId) => change({ hubId: hubId ?? "" })}
        />
        <Select
          label={t("flow")}
          required
          searchable
          allowDeselect={false}
          data={flows.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={draft.flowId || null}
          onChange={(flowId) => {
            const chosen = flows.find(({ _id }) => _id === flowId)
            const fields = (chosen ? fillable(componentsOf(chosen)) : [])
              .filter(({ required }) => required === true)
              .map(({ id }) => ({ id, isRequired: true, isLong: false }))
            change({ flowId: flowId ?? "", settings: { ...draft.settings, fields } })
          }}
        />
      </div>
      {flow ? (
        <Fields
          components={fillable(componentsOf(flow))}
          fields={draft.settings.fields}
          onChange={(fields) => set({ fields })}
        />
      ) : null}
      <Switch
        label={t("needsApproval")}
        {...bindChecked(draft.settings.needsApproval, (needsApproval) => set({ needsApproval }))}
      />
      <Switch
        label={t("offersSlots")}
        {...bindChecked(draft.settings.offersSlots, (offersSlots) => set({ offersSlots }))}
      />
      <div className="customer-columns">
        {[...(draft.settings.offersSlots ? slotNumbers : []), ...numbers].map((key) => (
          <NumberInput
            key={key}
            label={t(key)}
            min={0}
            allowDecimal={false}
            value={draft.settings[key]}
            onChange={(value) => set({ [key]: Number(value) })}
          />
        ))}
      </div>
      <Texts settings={draft.settings} onChange={set} />
      <Textarea
        label={t("origins")}
        description={t("originsText")}
        autosize
        minRows={1}
        {...bindText(origins, setOrigins)}
      />
    </FormDialog>
  )
}

/** What strangers can fill. */
function fillable(components: readonly FlowComponent[]): FlowComponent[] {
  return components.filter(({ component }) => ["input", "select", "photo"].includes(component))
}

interface FieldsProps {
  components: readonly FlowComponent[]
  fields: Settings["fields"]
  onChange(fields: Settings["fields"]): void
}

function Fields({ components, fields, onChange }: FieldsProps) {
  const t = useMessages(requestFormMessages)
  const toggle = (id: string, isChosen: boolean) => {
    const chosen = new Set(fields.map((field) => field.id))
    if (isChosen) chosen.add(id)
    else chosen.delete(id)
    const known = new Map(fields.map((field) => [field.id, field]))
    onChange(
      components.flatMap((component) =>
        chosen.has(component.id)
          ? (known.get(component.id) ?? {
              id: component.id,
              isRequired: component.required === true,
              isLong: false,
            })
          : [],
      ),
    )
  }
  const set = (id: string, part: Partial<Settings["fields"][number]>) =>
    onChange(fields.map((field) => (field.id === id ? { ...field, ...part } : field)))
  return (
    <fieldset className="request-fields">
      <legend>{t("fields")}</legend>
      <p className="quiet">{t("fieldsText")}</p>
      {components.map(({ id, title, component, type }) => {
        const field = fields.find((one) => one.id === id)
        const label = title || id
        const isText = component === "input" && (type ?? "String").toLowerCase() === "string"
        return (
          <div key={id}>
            <Checkbox
              label={label}
              {...bindChecked(field !== undefined, (isChosen) => toggle(id, isChosen))}
            />
            {field ? (
              <Checkbox
                size="xs"
                label={t("required")}
                aria-label={`${t("required")}: ${label}`}
                {...bindChecked(field.isRequired, (isRequired) => set(id, { isRequired }))}
              />
            ) : null}
            {field && isText ? (
              <Checkbox
                size="xs"
                label={t("long")}
                aria-label={`${t("long")}: ${label}`}
                {...bindChecked(field.isLong, (isLong) => set(id, { isLong }))}
              />
            ) : null}
          </div>
        )
      })}
    </fieldset>
  )
}

interface TextsProps {
  settings: Settings
  onChange(part: Partial<Settings>): void
}

/** Headings and texts in each language of the public pages. */
function Texts({ settings, onChange }: TextsProps) {
  const t = useMessages(requestFormMessages)
  const set = (language: Language, part: object) => {
    const own = { title: "", introduction: "", thanks: "", labels: {}, ...settings.texts[language], ...part }
    onChange({ texts: { ...settings.texts, [language]: own } })
  }
  return (
    <>
      <Select
        label={t("mainLanguage")}
        placeholder={t("organizationLanguage")}
        clearable
        data={languageChoices}
        value={settings.language || null}
        onChange={(language) => onChange({ language: language ?? "" })}
      />
      <Tabs defaultValue="en">
        <Tabs.List>
          {languageChoices.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} lang={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languageChoices.map(({ value, label }) => (
          <Tabs.Panel key={value} value={value} pt="xs" aria-label={t("textsIn", { language: label })}>
            <TextInput
              label={t("title")}
              maxLength={100}
              dir="auto"
              {...bindText(settings.texts[value]?.title ?? "", (title) => set(value, { title }))}
            />
            {texts.map((key) => (
              <Textarea
                key={key}
                label={t(key)}
                autosize
                minRows={2}
                maxLength={2000}
                dir="auto"
                {...bindText(settings.texts[value]?.[key] ?? "", (text) => set(value, { [key]: text }))}
              />
            ))}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
