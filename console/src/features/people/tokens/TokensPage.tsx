import "./tokens.css"
import { ActionIcon, Badge, Button, Group, TextInput, Tooltip } from "@mantine/core"
import { IconKey, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { bindText } from "../../../ui/bind.ts"
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { Explained } from "../../../ui/Explained.tsx"
import { FormDialog } from "../../../ui/FormDialog.tsx"
import { useAction } from "../../../ui/use-action.ts"
import { usePermissionLabels } from "../../extensions/plugins/permission-labels.ts"
import { tokenMessages } from "./messages.ts"
import { TokenForm } from "./TokenForm.tsx"
import { maxTokens, renameToken, revokeToken, type Token, tokensQuery } from "./tokens.queries.ts"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(tokensQuery)

/** One's own personal access tokens: what each may, until when, and whether anything still uses it. */
export function TokensPage() {
  const t = useMessages(tokenMessages)
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
    <Explained reason={validCount >= maxTokens ? t("full") : undefined}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        {t("add")}
      </Button>
    </Explained>
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
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t("name")}</th>
                <th>{t("access")}</th>
                <th>{t("expires")}</th>
                <th className="from-sm">{t("lastUsed")}</th>
                <th aria-label={t("revoke")} />
              </tr>
            </thead>
            <tbody>
              {tokens.map((token) => (
                <TokenRow
                  key={token._id}
                  token={token}
                  isExpired={isExpired(token, now)}
                  onRename={() => setRenaming(token)}
                  onRevoke={() => setRevoking(token)}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
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

interface TokenRowProps {
  token: Token
  isExpired: boolean
  onRename(): void
  onRevoke(): void
}

function TokenRow({ token, isExpired, onRename, onRevoke }: TokenRowProps) {
  const t = useMessages(tokenMessages)
  const formats = useFormats()
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{token.name}</td>
      <td>
        <Scopes scopes={token.scopes} />
      </td>
      <td className={isExpired ? undefined : "quiet"}>
        {isExpired ? <Badge color="gray">{t("expired")}</Badge> : formats.date(token.expires_at)}
      </td>
      <td className="quiet from-sm">
        {token.lastUsedTime ? formats.dateTime(token.lastUsedTime) : t("never")}
        {token.lastUsedFrom ? ` ${t("from", { address: token.lastUsedFrom })}` : ""}
      </td>
      <td align="right">
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <ActionIcon aria-label={`${t("rename")}: ${token.name}`} onClick={onRename}>
            <IconPencil size={16} />
          </ActionIcon>
          <ActionIcon aria-label={`${t("revoke")}: ${token.name}`} onClick={onRevoke}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </td>
    </tr>
  )
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
      submit={t("save")}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextInput label={t("name")} required maxLength={200} data-autofocus {...bindText(name, setName)} />
    </FormDialog>
  )
}
