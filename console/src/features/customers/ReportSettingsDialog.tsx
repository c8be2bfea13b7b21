import "./customers.css"
import { Switch, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, type ResponseBody, server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { componentsOf, type Flow } from "../work/flows/flows.queries.ts"
import { reportMessages } from "./report-messages.ts"

type Settings = ResponseBody<"getReportSettings">["data"]

const parts = [
  "showLogo",
  "showTimes",
  "showMap",
  "showFields",
  "showItems",
  "showPhotos",
  "showSignature",
  "showHash",
] as const
/** Drawn as items, photos or a signature, not as a value. */
const drawnElsewhere = new Set(["photo", "signature", "list", "bill", "view", "voice", "capture"])

interface ReportSettingsDialogProps {
  flow: Flow
  onClose(): void
}

/** What the service reports of a flow contain. */
export default function ReportSettingsDialog({ flow, onClose }: ReportSettingsDialogProps) {
  const flowId = flow._id
  const { data } = useQuery({
    queryKey: ["flow", flowId, "report-settings"],
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/flow/{flowId}/report-settings", { flowId, signal })),
  })
  return data ? <ReportForm flow={flow} stored={data} onClose={onClose} /> : null
}

function ReportForm({ flow, stored, onClose }: ReportSettingsDialogProps & { stored: Settings }) {
  const t = useMessages(reportMessages)
  const { may } = useSession()
  const [draft, setDraft] = useState(stored)
  const change = (part: Partial<Settings>) => setDraft({ ...draft, ...part })
  const save = useAction(
    () => server.put("/api/v3/flow/{flowId}/report-settings", { flowId: flow._id, body: draft }),
    {
      refreshes: [["flow", flow._id, "report-settings"]],
      done: () => t("saved"),
      onDone: onClose,
    },
  )
  const hidden = new Set(draft.hiddenFields)
  const fields = componentsOf(flow).filter(({ component }) => !drawnElsewhere.has(component))
  const showField = (id: string, isShown: boolean) =>
    change({
      hiddenFields: isShown ? draft.hiddenFields.filter((one) => one !== id) : [...draft.hiddenFields, id],
    })
  return (
    <FormDialog
      title={t("title", { name: flow.name })}
      request={save}
      isDisabled={!may("edit/flow")}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      size="lg"
      history={{ objectType: "report-settings", objectId: flow._id }}
    >
      <TextInput
        label={t("titleLabel")}
        maxLength={100}
        {...bindText(draft.title, (title) => change({ title }))}
      />
      <TextInput label={t("foot")} maxLength={200} {...bindText(draft.foot, (foot) => change({ foot }))} />
      <fieldset className="report-parts">
        <legend>{t("contains")}</legend>
        {parts.map((key) => (
          <Switch
            key={key}
            label={t(key)}
            {...bindChecked(draft[key], (value) => change({ [key]: value }))}
          />
        ))}
      </fieldset>
      {draft.showFields && fields.length > 0 ? (
        <fieldset className="report-parts">
          <legend>{t("fields")}</legend>
          {fields.map(({ id, title }) => (
            <Switch
              key={id}
              label={title || id}
              {...bindChecked(!hidden.has(id), (isShown) => showField(id, isShown))}
            />
          ))}
        </fieldset>
      ) : null}
      <Switch
        label={t("attachToReceipt")}
        description={t("attachText")}
        {...bindChecked(draft.attachToReceipt, (attachToReceipt) => change({ attachToReceipt }))}
      />
    </FormDialog>
  )
}
