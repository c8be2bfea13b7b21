import { ActionIcon, Alert, Badge, Button, Code, CopyButton, Group, TextInput } from "@mantine/core"
import { IconKey, IconTrash } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { answerOf, api } from "../../api/client.ts"
import { dayBound, localOf } from "../../i18n/day-bounds.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { EmptyState } from "../../ui/EmptyState.tsx"
import { FormError } from "../../ui/FormError.tsx"
import { settingsMessages } from "./messages.ts"

const usualDays = 90

export function TokensPage() {
  const t = useMessages(settingsMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const client = useQueryClient()
  const [name, setName] = useState("")
  const [expires, setExpires] = useState(() => {
    const inDays = new Date(Date.now() + usualDays * 86_400_000)
    return localOf(inDays, organization.timeZone).slice(0, 10)
  })
  const { data: tokens } = useQuery({
    queryKey: ["tokens"],
    queryFn: async ({ signal }) => (await answerOf(api.GET("/api/v3/tokens", { signal }))).data,
  })
  const refresh = () => client.invalidateQueries({ queryKey: ["tokens"] })
  const make = useMutation({
    mutationFn: () => {
      const expires_at = dayBound(expires, "to", organization.timeZone)
      return answerOf(api.POST("/api/v3/token", { body: { name: name.trim(), expires_at } }))
    },
    onSuccess: async () => {
      setName("")
      await refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (tokenId: string) =>
      answerOf(api.DELETE("/api/v3/token/{tokenId}", { params: { path: { tokenId } } })),
    onSuccess: refresh,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <>
      <form onSubmit={submit}>
        <Group px={20} pb="sm" align="end" gap="xs">
          <TextInput
            label={t("newToken")}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t("expires")}
            required
            value={expires}
            onChange={(event) => setExpires(event.currentTarget.value)}
          />
          <Button type="submit" loading={make.isPending}>
            {t("create")}
          </Button>
        </Group>
        <FormError error={make.error ?? remove.error} />
      </form>
      {make.data ? (
        <Alert color="pine" mx={20} mb="sm" title={t("tokenOnce")} role="status">
          <Group gap="xs">
            <Code style={{ overflowWrap: "anywhere" }}>{make.data.data.token}</Code>
            <CopyButton value={make.data.data.token}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" onClick={copy}>
                  {copied ? t("copied") : t("copy")}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Alert>
      ) : null}
      {tokens?.length === 0 ? (
        <EmptyState icon={IconKey} title={t("tokensEmpty")} text={t("tokensText")} />
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("name")}</th>
              <th>{t("state")}</th>
              <th>{t("expires")}</th>
              <th className="from-sm">{t("lastUsed")}</th>
              <th aria-label={t("remove")} />
            </tr>
          </thead>
          <tbody>
            {(tokens ?? []).map((token) => (
              <tr key={token._id}>
                <td style={{ fontWeight: 550 }}>{token.name}</td>
                <td>
                  <Badge color={token.revoked ? "gray" : "pine"}>
                    {token.revoked ? t("revoked") : t("valid")}
                  </Badge>
                </td>
                <td className="quiet">{formats.date(token.expires_at)}</td>
                <td className="quiet from-sm">
                  {token.lastUsedTime ? formats.dateTime(token.lastUsedTime) : t("never")}
                </td>
                <td align="right">
                  {token.revoked ? null : (
                    <ActionIcon
                      aria-label={`${t("remove")}: ${token.name}`}
                      onClick={() => remove.mutate(token._id)}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
