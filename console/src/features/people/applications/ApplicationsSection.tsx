import { Checkbox, Code, Group, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { IconKey, IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { HistoryButton } from "../../../ui/history/HistoryButton.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { ScopeChoice } from "../tokens/ScopeChoice.tsx"
import { scopesOf } from "../tokens/tokens.queries.ts"
import {
  type Application,
  applicationsQuery,
  createApplication,
  deleteApplication,
  rotateSecret,
} from "./applications.queries.ts"
import { applicationMessages } from "./messages.ts"

interface Secret {
  clientId: string
  clientSecret: string | null
}

/** OAuth clients of the organization. */
export function ApplicationsSection() {
  const t = useMessages(applicationMessages)
  const { may } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  const [removing, setRemoving] = useState<Application>()
  const [rotating, setRotating] = useState<Application>()
  const refreshes = [applicationsQuery.queryKey]
  const remove = useAction((one: Application) => deleteApplication(one._id), { refreshes })
  const rotate = useAction((one: Application) => rotateSecret(one._id), { refreshes, onDone: setSecret })
  return (
    <section className="integration-section" aria-label={t("title")}>
      <Group justify="space-between">
        <h2>{t("title")}</h2>
        {may("add/integration") ? (
          <ActionButton icon={IconPlus} label={t("add")} size="xs" onClick={() => setAdding(true)} />
        ) : null}
      </Group>
      <Text size="sm" className="quiet">
        {t("text")}
      </Text>
      <FormError error={remove.error ?? rotate.error} />
      {applications.length === 0 ? <p>{t("none")}</p> : null}
      {applications.map((one) => (
        <article key={one._id} className="integration-card" aria-label={one.name}>
          <Group justify="space-between" wrap="nowrap">
            <div>
              <h3>{one.name}</h3>
              <Code style={{ overflowWrap: "anywhere" }}>{one.clientId}</Code>
            </div>
            <Group gap={4} wrap="nowrap">
              <HistoryButton objectType="oauth-client" objectId={one._id} name={one.name} />
              {may("edit/integration") && !one.isPublic ? (
                <IconButton
                  icon={IconKey}
                  label={`${t("rotate")}: ${one.name}`}
                  onClick={() => setRotating(one)}
                />
              ) : null}
              {may("delete/integration") ? (
                <IconButton
                  icon={IconTrash}
                  label={`${t("remove")}: ${one.name}`}
                  onClick={() => setRemoving(one)}
                />
              ) : null}
            </Group>
          </Group>
          <Text size="sm" className="quiet">
            {[...one.redirectUris, ...one.scopes].join(" · ")}
          </Text>
        </article>
      ))}
      {isAdding ? (
        <NewApplicationForm
          onMade={(made) => {
            setAdding(false)
            setSecret(made)
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(undefined)} /> : null}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t("removeTitle", { name: removing?.name ?? "" })}
        text={t("removeText")}
        confirm={t("remove")}
        isDangerous
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      />
      <ConfirmDialog
        isOpen={rotating !== undefined}
        title={t("rotateTitle", { name: rotating?.name ?? "" })}
        text={t("rotateText")}
        confirm={t("rotate")}
        isDangerous
        onConfirm={() => rotating && rotate.mutate(rotating)}
        onClose={() => setRotating(undefined)}
      />
    </section>
  )
}

function NewApplicationForm({ onMade, onClose }: { onMade(made: Secret): void; onClose(): void }) {
  const t = useMessages(applicationMessages)
  const { user } = useSession()
  const scopes = useMemo(() => scopesOf(user), [user])
  const [name, setName] = useState("")
  const [redirects, setRedirects] = useState("")
  const [isPublic, setPublic] = useState(false)
  const [isService, setService] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [lacksScopes, setLacksScopes] = useState(false)
  const make = useAction(
    () =>
      createApplication({
        name: name.trim(),
        redirectUris: redirects.split(/\s+/).filter((line) => line !== ""),
        scopes: [...chosen],
        isPublic,
        isService: isService && !isPublic,
      }),
    { refreshes: [applicationsQuery.queryKey], onDone: onMade },
  )
  const submit = () => {
    setLacksScopes(chosen.size === 0)
    if (chosen.size > 0) make.mutate()
  }
  return (
    <FormDialog
      title={t("add")}
      size="lg"
      request={make}
      submit={t("create")}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t("name")}
        description={t("nameHint")}
        required
        maxLength={100}
        data-autofocus
        {...bindText(name, setName)}
      />
      <Textarea
        label={t("redirects")}
        description={t("redirectsHint")}
        autosize
        minRows={2}
        value={redirects}
        onChange={(event) => setRedirects(event.currentTarget.value)}
      />
      <Checkbox
        label={t("isPublic")}
        checked={isPublic}
        onChange={(event) => setPublic(event.currentTarget.checked)}
      />
      <Checkbox
        label={t("isService")}
        checked={isService && !isPublic}
        disabled={isPublic}
        onChange={(event) => setService(event.currentTarget.checked)}
      />
      <Text fw={500} size="sm">
        {t("scopes")}
      </Text>
      {lacksScopes ? (
        <Text c="red" size="sm" role="alert">
          {t("choose")}
        </Text>
      ) : null}
      <ScopeChoice scopes={scopes} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}

function SecretDialog({ secret, onClose }: { secret: Secret; onClose(): void }) {
  const t = useMessages(applicationMessages)
  return (
    <OpenModal
      onClose={onClose}
      title={secret.clientSecret ? t("secretTitle") : t("clientId")}
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        <Text size="sm">{t("clientId")}</Text>
        <Code block>{secret.clientId}</Code>
        <CopyText text={secret.clientId} />
        {secret.clientSecret ? (
          <>
            <Text size="sm">{t("secret")}</Text>
            <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
              {secret.clientSecret}
            </Code>
            <CopyText text={secret.clientSecret} />
          </>
        ) : null}
      </Stack>
    </OpenModal>
  )
}
