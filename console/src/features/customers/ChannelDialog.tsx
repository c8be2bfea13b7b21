import { Button, JsonInput, NumberInput, PasswordInput, Select, Switch, TextInput } from "@mantine/core"
import { useState } from "react"
import { server } from "../../api/server.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { CopyText } from "../../ui/CopyText.tsx"
import { bindChecked, bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { type Channel, type ChannelBody, channelsQuery, templatesQuery } from "./messaging.queries.ts"
import { messagingMessages } from "./messaging-messages.ts"

/** What each preset asks for; the server has the requests. */
const presets: Record<string, { kinds: ChannelBody["kind"][]; secrets: string[]; variables: string[] }> = {
  mail: { kinds: ["email"], secrets: [], variables: [] },
  twilio: { kinds: ["sms", "whatsapp"], secrets: ["accountSid", "authToken"], variables: ["from"] },
  vonage: {
    kinds: ["sms", "whatsapp"],
    secrets: ["apiKey", "apiSecret", "signatureSecret"],
    variables: ["from", "channel"],
  },
  infobip: { kinds: ["sms"], secrets: ["apiKey"], variables: ["from", "host"] },
  meta: {
    kinds: ["whatsapp"],
    secrets: ["accessToken", "appSecret", "verifyToken"],
    variables: ["phoneNumberId", "templateName", "templateLanguage"],
  },
  gateway: { kinds: ["sms"], secrets: ["user", "password"], variables: ["address"] },
  http: { kinds: ["sms", "whatsapp"], secrets: ["token"], variables: ["from"] },
}
const labels: Record<string, string> = {
  twilio: "Twilio",
  vonage: "Vonage",
  infobip: "Infobip",
  meta: "Meta Cloud API (WhatsApp)",
  gateway: "SMS Gateway for Android",
  http: "HTTP",
}
const exampleRequest = {
  url: "https://provider.example/messages",
  headers: { authorization: "Bearer {{secret.token}}", "idempotency-key": "{{reference}}" },
  encoding: "json" as const,
  body: { to: "{{to}}", from: "{{from}}", text: "{{text}}", callback: "{{callbackUrl}}" },
  idPath: "id",
  isIdempotent: true,
}

export function ChannelDialog({ channel, onClose }: { channel: Channel | undefined; onClose(): void }) {
  const t = useMessages(messagingMessages)
  const [draft, setDraft] = useState<ChannelBody>(() => bodyOf(channel))
  const [request, setRequest] = useState(() => JSON.stringify(channel?.request ?? exampleRequest, null, 2))
  const change = (part: Partial<ChannelBody>) => setDraft({ ...draft, ...part })
  const preset = draft.preset ?? "mail"
  const { secrets, variables, kinds } = presets[preset] ?? { secrets: [], variables: [], kinds: [] }
  const done = { refreshes: [channelsQuery.queryKey, templatesQuery.queryKey], onDone: onClose }
  const save = useAction(async () => {
    const given = Object.entries(draft.secrets ?? {}).filter(([, value]) => value !== "")
    const body = {
      ...draft,
      secrets: Object.fromEntries(given),
      request: preset === "http" ? (JSON.parse(request) as typeof exampleRequest) : null,
    }
    if (channel)
      await server.put("/api/v3/customer-message-channel/{channelId}", { channelId: channel._id, body })
    else await server.post("/api/v3/customer-message-channel", { body })
  }, done)
  const remove = useAction(async () => {
    if (channel)
      await server.delete("/api/v3/customer-message-channel/{channelId}", { channelId: channel._id })
  }, done)
  const choose = (next: string | null) => {
    const name = next ?? "mail"
    change({ preset: name as NonNullable<ChannelBody["preset"]>, kind: presets[name]?.kinds[0] ?? "sms" })
  }
  return (
    <FormDialog
      title={channel?.name ?? t("newChannel")}
      history={channel && { objectType: "message-channel", objectId: channel._id }}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      aside={
        channel ? (
          <Button color="red" variant="subtle" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("delete")}
          </Button>
        ) : undefined
      }
    >
      <Select
        label={t("provider")}
        allowDeselect={false}
        data={Object.keys(presets).map((value) => ({ value, label: labels[value] ?? t("email") }))}
        value={preset}
        onChange={choose}
      />
      {kinds.length > 1 ? (
        <Select
          label={t("kind")}
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: t(value) }))}
          value={draft.kind}
          onChange={(kind) => change({ kind: (kind ?? "sms") as ChannelBody["kind"] })}
        />
      ) : null}
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        maxLength={100}
        {...bindText(draft.name, (name) => change({ name }))}
      />
      {variables.map((key) => (
        <TextInput
          key={key}
          label={key}
          {...bindText(draft.variables?.[key] ?? "", (value) =>
            change({ variables: { ...draft.variables, [key]: value } }),
          )}
        />
      ))}
      {secrets.map((key) => (
        <PasswordInput
          key={key}
          label={key}
          autoComplete="off"
          placeholder={channel?.secretNames.includes(key) ? t("secretStored") : ""}
          {...bindText(draft.secrets?.[key] ?? "", (value) =>
            change({ secrets: { ...draft.secrets, [key]: value } }),
          )}
        />
      ))}
      {preset === "http" ? (
        <JsonInput
          label={t("request")}
          description={t("requestText")}
          autosize
          minRows={8}
          formatOnBlur
          value={request}
          onChange={setRequest}
        />
      ) : null}
      <div className="customer-columns">
        <NumberInput
          label={t("dailyCap")}
          min={0}
          allowDecimal={false}
          value={draft.dailyCap ?? 1000}
          onChange={(value) => change({ dailyCap: Number(value) })}
        />
        <NumberInput
          label={t("cost")}
          min={0}
          decimalScale={4}
          value={draft.cost ?? 0}
          onChange={(value) => change({ cost: Number(value) })}
        />
      </div>
      {preset === "mail" ? null : (
        <Switch
          label={t("resendUncertain")}
          {...bindChecked(draft.onUncertain === "resend", (isOn) =>
            change({ onUncertain: isOn ? "resend" : "stop" }),
          )}
        />
      )}
      <Switch
        label={t("isActive")}
        {...bindChecked(draft.isActive ?? true, (isActive) => change({ isActive }))}
      />
      {channel?.callbackUrl ? (
        <div>
          <span className="quiet">{t("callback")}</span>
          <CopyText text={channel.callbackUrl} size="xs" />
        </div>
      ) : null}
    </FormDialog>
  )
}

function bodyOf(channel: Channel | undefined): ChannelBody {
  if (!channel) return { name: "", kind: "email", preset: "mail", onUncertain: "stop", isActive: true }
  const { name, kind, variables, isActive, cost, dailyCap } = channel
  return {
    name,
    kind,
    preset: channel.preset as NonNullable<ChannelBody["preset"]>,
    variables,
    onUncertain: channel.onUncertain === "resend" ? "resend" : "stop",
    isActive,
    cost,
    dailyCap,
  }
}
