import { Button, Checkbox, Group, Select, Stack, TextInput } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import {
  changeDataType,
  createDataType,
  type DataType,
  type DataTypeChange,
  dataTypeQuery,
  deleteDataType,
  type Impact,
} from "./data-types.queries.ts"
import { FieldEditor } from "./FieldEditor.tsx"
import { ImpactDialog } from "./ImpactDialog.tsx"
import { dataTypeMessages } from "./messages.ts"
import { bodyOf, draftOf, nameNewFields, type TypeDraft } from "./type-draft.ts"

export const loader: PageLoader = async ({ client, params: { dataTypeId } }) =>
  dataTypeId && client.ensureQueryData(dataTypeQuery(dataTypeId))

export function DataTypeNewPage() {
  return <Builder type={undefined} />
}

export function DataTypeEditPage() {
  const { dataTypeId } = useParams({ from: "/signed-in/data/$dataTypeId/edit" })
  const { data: type } = useSuspenseQuery(dataTypeQuery(dataTypeId))
  return <Builder key={type._id} type={type} />
}

/** What is known of each record: the name of the list, whose it is, and its fields. */
function Builder({ type }: { type: DataType | undefined }) {
  const t = useMessages(dataTypeMessages)
  const { may } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<TypeDraft>(() => draftOf(type, t("keyTitle")))
  const [start] = useState(draft)
  const [impact, setImpact] = useState<{ impact: Impact; body: DataTypeChange; removed: string[] }>()
  const [isRemoving, setRemoving] = useState(false)
  const [isDone, setDone] = useState(false)
  const change = (part: Partial<TypeDraft>) => setDraft((current) => ({ ...current, ...part }))
  const known = new Set((type?.fields ?? []).map((field) => field.id))

  const leave = async (message: string, dataTypeId: string | undefined) => {
    setDone(true)
    notifyDone(message)
    await client.invalidateQueries({ queryKey: ["data-types"] })
    if (dataTypeId) await navigate({ to: paths.dataType, params: { dataTypeId } })
    else await navigate({ to: paths.data })
  }
  const save = useAction(async () => {
    const fields = nameNewFields(draft.fields, known)
    const body = bodyOf(draft, fields)
    if (!type) {
      const made = await createDataType(body)
      return leave(t("saved"), made._id)
    }
    const { commonData: _fixed, provider: _too, ...rest } = body
    const { impact } = await changeDataType(type._id, rest, true)
    const removed = type.fields.filter((field) => !fields.some(({ id }) => id === field.id))
    if (impact.broken + impact.convertible === 0 && (removed.length === 0 || impact.records === 0))
      return apply.mutateAsync({ body: rest, records: impact.records })
    setImpact({ impact, body: rest, removed: removed.map(({ id }) => id) })
  })
  const apply = useAction(async (options: { body: DataTypeChange; records: number }) => {
    if (!type) return
    await changeDataType(type._id, options.body, false)
    setImpact(undefined)
    const isChecked = options.records > 0
    await leave(isChecked ? t("savedFits", { count: options.records }) : t("saved"), type._id)
  })
  const remove = useAction(async () => {
    if (!type) return
    await deleteDataType(type._id)
    await leave(t("removed", { name: type.name }), undefined)
  })
  useLeaveWarning(draft !== start && !isDone)
  const submit = () => {
    apply.reset()
    save.mutate()
  }
  const isExternal = draft.provider === "external-api"
  return (
    <Form className="page" onSubmit={submit}>
      <PageHeader title={type ? t("editTitle", { name: type.name }) : t("newTitle")}>
        {type && may("delete/dataType") ? (
          <ActionButton
            icon={IconTrash}
            label={t("remove")}
            variant="subtle"
            color="red"
            onClick={() => setRemoving(true)}
          />
        ) : null}
        <Button variant="default" onClick={() => window.history.back()}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={save.isPending || apply.isPending}>
          {t("save")}
        </Button>
      </PageHeader>
      <div className="page-body">
        <WithHistory of={type && { objectType: "data-type", objectId: type._id }}>
          <Stack gap="lg" maw={1040}>
            <FormError error={save.error ?? remove.error} />
            <Group align="start" gap="xl">
              <TextInput
                label={t("name")}
                placeholder={t("namePlaceholder")}
                required
                withAsterisk={false}
                maxLength={255}
                w={300}
                {...bindText(draft.name, (name) => change({ name }))}
              />
              <Select
                label={t("provider")}
                disabled={type !== undefined}
                data={[
                  { value: "internal", label: t("internal") },
                  { value: "external-api", label: t("external") },
                ]}
                value={draft.provider}
                onChange={(value) => change({ provider: value === "external-api" ? value : "internal" })}
                w={200}
              />
              {isExternal ? (
                <>
                  <TextInput
                    label={t("url")}
                    type="url"
                    required
                    withAsterisk={false}
                    placeholder="https://"
                    w={300}
                    {...bindText(draft.url, (url) => change({ url }))}
                  />
                  <TextInput
                    label={t("key")}
                    description={type?.providerConfig?.hasKey ? t("keyKept") : undefined}
                    autoComplete="off"
                    w={220}
                    {...bindText(draft.key, (key) => change({ key }))}
                  />
                </>
              ) : null}
            </Group>
            <Group align="start" gap="xl">
              <Checkbox
                label={t("common")}
                description={t("commonHint")}
                disabled={type !== undefined}
                {...bindChecked(draft.commonData, (commonData) => change({ commonData }))}
              />
              <Checkbox
                label={t("limitUser")}
                description={t("limitUserHint")}
                {...bindChecked(draft.limitUser, (limitUser) => change({ limitUser }))}
              />
            </Group>
            <FieldEditor fields={draft.fields} known={known} onChange={(fields) => change({ fields })} />
          </Stack>
        </WithHistory>
      </div>
      {impact ? (
        <ImpactDialog
          {...impact}
          fields={type?.fields ?? []}
          error={apply.error}
          isPending={apply.isPending}
          onCancel={() => setImpact(undefined)}
          onApply={(body) => apply.mutate({ body: { ...impact.body, ...body }, records: 0 })}
        />
      ) : null}
      <ConfirmDialog
        isOpen={isRemoving}
        title={t("deleteTitle", { name: type?.name ?? "" })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
      />
    </Form>
  )
}
