import { Badge, Button, Code, Group, Stack } from "@mantine/core"
import { IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { CopyText } from "../../ui/CopyText.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { OpenModal } from "../../ui/layout/OpenModal.tsx"
import { QrCode } from "../../ui/QrCode.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { hubsQuery } from "../organization/hubs/hubs.queries.ts"
import { RequestFormDialog } from "./RequestFormDialog.tsx"
import { requestFormMessages } from "./request-form-messages.ts"
import { type RequestForm, requestFormsQuery } from "./request-forms.queries.ts"
import { TaskRequests } from "./TaskRequests.tsx"

/** Public forms on which customers ask for tasks, and what they asked for. */
export function RequestForms() {
  const t = useMessages(requestFormMessages)
  const { may } = useSession()
  const { data: forms } = useQuery(requestFormsQuery)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [edited, setEdited] = useState<RequestForm | "new">()
  const [shared, setShared] = useState<RequestForm>()
  const mayEdit = may("edit/organization")
  if (!forms) return null
  return (
    <>
      {may("add/task") ? <TaskRequests /> : null}
      <section aria-label={t("forms")}>
        <div className="toolbar">
          <h2 className="panel-heading" style={{ flex: 1 }}>
            {t("forms")}
          </h2>
          {mayEdit ? (
            <ActionButton icon={IconPlus} label={t("newForm")} size="xs" onClick={() => setEdited("new")} />
          ) : null}
        </div>
        <p className="quiet">{t("formsText")}</p>
        {forms.length === 0 ? <p className="quiet">{t("noForm")}</p> : null}
        <DataTable
          rows={forms}
          keyOf={({ _id }) => _id}
          columns={[
            {
              title: t("name"),
              kind: "name",
              cell: ({ name, isActive }) => (
                <>
                  {name} {isActive ? null : <Badge color="gray">{t("off")}</Badge>}
                </>
              ),
            },
            {
              title: t("hub"),
              from: "sm",
              kind: "quiet",
              cell: ({ hubId }) => hubs.find(({ _id }) => _id === hubId)?.name ?? "",
            },
            { title: t("waiting"), kind: "number", cell: ({ pending }) => pending },
            {
              title: t("edit"),
              kind: "actions",
              cell: (form) => (
                <Group gap={6} justify="flex-end">
                  <RowButton label={t("share")} of={form.name} onClick={() => setShared(form)} />
                  {mayEdit ? (
                    <RowButton label={t("edit")} of={form.name} onClick={() => setEdited(form)} />
                  ) : null}
                </Group>
              ),
            },
          ]}
        />
      </section>
      {edited ? (
        <RequestFormDialog
          form={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {shared ? <Share form={shared} mayEdit={mayEdit} onClose={() => setShared(undefined)} /> : null}
    </>
  )
}

interface ShareProps {
  form: RequestForm
  mayEdit: boolean
  onClose(): void
}

/** The address of a form in every way in which customers get it. */
function Share({ form, mayEdit, onClose }: ShareProps) {
  const t = useMessages(requestFormMessages)
  const renew = useAction(() => server.post("/api/v3/request-form/{formId}/new-link", { formId: form._id }), {
    refreshes: [requestFormsQuery.queryKey],
    onDone: onClose,
  })
  const snippet = `<iframe src="${form.url}" title="${form.name.replaceAll('"', "&quot;")}" style="width:100%;height:900px;border:0" loading="lazy"></iframe>`
  return (
    <OpenModal onClose={onClose} title={form.name} size="lg">
      <Stack gap="sm">
        <Group align="flex-start">
          <QrCode text={form.url} label={t("qr", { name: form.name })} size={190} />
          <Stack gap="xs" style={{ flex: 1, minWidth: 200 }}>
            <a className="breakable" href={form.url} target="_blank" rel="noreferrer">
              {form.url}
            </a>
            <CopyText text={form.url} />
            {mayEdit ? (
              <>
                <Button variant="subtle" color="red" loading={renew.isPending} onClick={() => renew.mutate()}>
                  {t("newLink")}
                </Button>
                <p className="quiet">{t("newLinkText")}</p>
              </>
            ) : null}
          </Stack>
        </Group>
        <p className="quiet">{t("embed")}</p>
        <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {snippet}
        </Code>
        <Group justify="flex-end">
          <CopyText text={snippet} />
        </Group>
        <FormError error={renew.error} />
      </Stack>
    </OpenModal>
  )
}
