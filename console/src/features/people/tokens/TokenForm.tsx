import { Radio, Stack, TextInput } from "@mantine/core"
import { useMemo, useState } from "react"
import { dayBound, localOf } from "../../../i18n/day-bounds.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { ShownOnce } from "../../../ui/ShownOnce.tsx"
import { tokenMessages } from "./messages.ts"
import { ScopeChoice } from "./ScopeChoice.tsx"
import { createToken, scopesOf, tokensQuery } from "./tokens.queries.ts"

const usualDays = 90

/** A new token: what for, until when and how much it may; then the token itself, once. */
export function TokenForm({ onClose }: { onClose(): void }) {
  const t = useMessages(tokenMessages)
  const { user, organization } = useSession()
  const scopes = useMemo(() => scopesOf(user), [user])
  const [name, setName] = useState("")
  const [expires, setExpires] = useState(() => {
    const inDays = new Date(Date.now() + usualDays * 86_400_000)
    return localOf(inDays, organization.timeZone).slice(0, 10)
  })
  const [access, setAccess] = useState("everything")
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isIncomplete, setIncomplete] = useState(false)
  const make = useAction(
    () =>
      createToken({
        name: name.trim(),
        expires_at: dayBound(expires, "to", organization.timeZone),
        ...(access === "chosen" ? { scopes: [...chosen] } : {}),
      }),
    { refreshes: [tokensQuery.queryKey] },
  )
  const submit = () => {
    const lacksScopes = access === "chosen" && chosen.size === 0
    setIncomplete(lacksScopes)
    if (!lacksScopes) make.mutate()
  }
  if (make.data)
    return (
      <ShownOnce
        title={make.data.name}
        secret={make.data.token}
        notice={t("madeTitle")}
        hint={t("madeText")}
        onClose={onClose}
      />
    )
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
        maxLength={200}
        data-autofocus
        {...bindText(name, setName)}
      />
      <DateTimeInput type="date" label={t("expires")} required w={200} {...bindText(expires, setExpires)} />
      <Radio.Group
        label={t("access")}
        description={t("narrow")}
        error={isIncomplete && chosen.size === 0 ? t("choose") : undefined}
        value={access}
        onChange={setAccess}
      >
        <Stack gap={6} mt={6}>
          <Radio value="everything" label={t("everything")} />
          <Radio value="chosen" label={t("chosen")} />
        </Stack>
      </Radio.Group>
      {access === "chosen" ? <ScopeChoice scopes={scopes} chosen={chosen} onChange={setChosen} /> : null}
    </FormDialog>
  )
}
