import "./tokens.css"
import { Badge, Group, TextInput, Tooltip } from "@mantine/core"
import { IconKey, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { usePermissionLabels } from "../../extensions/plugins/permission-labels.ts"
import { grantsQuery } from "../applications/applications.queries.ts"
import { ConnectedApplications } from "../applications/ConnectedApplications.tsx"
import { tokenMessages } from "./messages.ts"
import { TokenForm } from "./TokenForm.tsx"
import { maxTokens, renameToken, revokeToken, type Token, tokensQuery } from "./tokens.queries.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(tokensQuery), client.ensureQueryData(grantsQuery)])

/** One's own personal access tokens: what each may, until when, and whether anything still uses it. */
export function TokensPage() {
  const t = useMessages(tokenMessages)
  const formats = useFormats()
  const { data: tokens } = useSuspenseQuery(tokensQuery)
  const [isAdding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Token>()
  const [revoking, setRevoking] = useState<Token>()
  const revoke = useAction((token: Token) => revokeToken(token._id), {
    refreshes: [tokensQuery.queryKey],
    done: (_answer, token) => t("revoked", { name: token.name }),
    failed: (token) => token.name,
  })
  const now = Date.now()
  const validCount = tokens.filter((token) => !isExpired(token, now)).length
  const add = (
    <ActionButton
      icon={IconPlus}
      label={t("add")}
      onClick={() => setAdding(true)}
      reason={validCount >= maxTokens ? t("full") : undefined}
    />
  )
  return (
    <>
      {tokens.length === 0 ? (
        <EmptyState icon={IconKey} title={t("empty")} text={t("text")}>
          {add}
        </EmptyState>
      ) : (
        <>
          <Group px={20} pb="sm" justify="space-between" gap="xs">
            <span className="quiet">{t("text")}</span>
            {add}
          </Group>
          <DataTable
            rows={tokens}
            keyOf={({ _id }) => _id}
            columns={[
              { title: t("name"), kind: "name", cell: ({ name }) => name },
              { title: t("access"), cell: ({ scopes }) => <Scopes scopes={scopes} /> },
              {
                title: t("expires"),
                kind: "quiet",
                cell: (token) =>
                  isExpired(token, now) ? (
                    <Badge color="gray">{t("expired")}</Badge>
                  ) : (
                    formats.date(token.expires_at)
                  ),
              },
              {
                title: t("lastUsed"),
                from: "sm",
                kind: "quiet",
                cell: ({ lastUsedTime, lastUsedFrom }) =>
                  `${lastUsedTime ? formats.dateTime(lastUsedTime) : t("never")}${lastUsedFrom ? ` ${t("from", { address: lastUsedFrom })}` : ""}`,
              },
              {
                title: t("revoke"),
                kind: "actions",
                cell: (token) => (
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    <IconButton
                      icon={IconPencil}
                      label={`${t("rename")}: ${token.name}`}
                      onClick={() => setRenaming(token)}
                    />
                    <IconButton
                      icon={IconTrash}
                      label={`${t("revoke")}: ${token.name}`}
                      onClick={() => setRevoking(token)}
                    />
                  </Group>
                ),
              },
            ]}
          />
        </>
      )}
      <ConnectedApplications />
      {isAdding ? <TokenForm onClose={() => setAdding(false)} /> : null}
      {renaming ? <RenameForm token={renaming} onClose={() => setRenaming(undefined)} /> : null}
      <ConfirmDialog
        isOpen={revoking !== undefined}
        title={t("revokeTitle", { name: revoking?.name ?? "" })}
        text={t("revokeText")}
        confirm={t("revoke")}
        isDangerous
        onClose={() => setRevoking(undefined)}
        onConfirm={() => revoking && revoke.mutate(revoking)}
      />
    </>
  )
}

function isExpired(token: Token, now: number): boolean {
  return (parseTime(token.expires_at)?.getTime() ?? 0) <= now
}

/** How many permissions, and by hover or focus which. */
function Scopes({ scopes }: { scopes: readonly string[] | null }) {
  const t = useMessages(tokenMessages)
  const labelOf = usePermissionLabels()
  if (scopes === null) return <>{t("everything")}</>
  const labels = scopes.map(labelOf).join(", ")
  return (
    <Tooltip label={labels} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className="scope-summary" aria-description={labels}>
        {t("count", { count: scopes.length })}
      </button>
    </Tooltip>
  )
}

function RenameForm({ token, onClose }: { token: Token; onClose(): void }) {
  const t = useMessages(tokenMessages)
  const [name, setName] = useState(token.name)
  const rename = useAction(() => renameToken(token._id, name.trim()), {
    refreshes: [tokensQuery.queryKey],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t("renameTitle")}
      size="sm"
      request={rename}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <WithHistory of={{ objectType: "token", objectId: token._id }}>
        <TextInput label={t("name")} required maxLength={200} data-autofocus {...bindText(name, setName)} />
      </WithHistory>
    </FormDialog>
  )
}
