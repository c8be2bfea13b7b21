import { Group, PasswordInput, Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { needsDates, type OtherSystem, otherSystemIds, otherSystems } from "#shared/other-systems.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { importMessages } from "./messages.ts"
import { readOtherSystem } from "./other-system.queries.ts"

interface OtherSystemDialogProps {
  onFile(file: File): void
  onClose(): void
}

/** Reads a list of another system; what it returns is then mapped and imported like a file. */
export function OtherSystemDialog({ onFile, onClose }: OtherSystemDialogProps) {
  const t = useMessages(importMessages)
  const [system, setSystem] = useState<OtherSystem>("traccar")
  const [collection, setCollection] = useState<string>(otherSystems.traccar.collections[0])
  const [address, setAddress] = useState("")
  const [token, setToken] = useState("")
  const [from, setFrom] = useState("")
  const [to, setTo] = useState("")
  const known = otherSystems[system]
  const hasDates = needsDates(system, collection)
  const read = useAction(
    () =>
      readOtherSystem({
        system,
        collection,
        token,
        ...(address.trim() ? { address: address.trim() } : {}),
        ...(hasDates ? { from, to } : {}),
      }),
    { onDone: onFile },
  )
  const isReady = token !== "" && (known.address || address.trim()) && (!hasDates || (from && to))
  return (
    <FormDialog
      title={t("otherSystem")}
      submit={t("readSystem")}
      request={read}
      isDisabled={!isReady}
      onSubmit={() => read.mutate()}
      onClose={onClose}
    >
      <p className="quiet">{t("otherSystemText")}</p>
      <Select
        label={t("system")}
        data={otherSystemIds.map((id) => ({ value: id, label: otherSystems[id].name }))}
        value={system}
        allowDeselect={false}
        onChange={(value) => {
          const next = otherSystemIds.find((id) => id === value)
          if (!next) return
          setSystem(next)
          setAddress("")
          read.reset()
          setCollection(otherSystems[next].collections[0])
        }}
      />
      <Select
        label={t("collection")}
        data={known.collections.map((id) => ({ value: id, label: t(`list-${id}`) }))}
        value={collection}
        allowDeselect={false}
        onChange={(value) => value && setCollection(value)}
      />
      <TextInput
        type="url"
        label={t("systemAddress")}
        placeholder={known.address ?? (system === "v3" ? "https://…/api/v3" : "https://…")}
        required={known.address === undefined}
        {...bindText(address, setAddress)}
      />
      <PasswordInput
        label={t("systemKey")}
        description={t("systemKeyHint")}
        autoComplete="off"
        required
        {...bindText(token, setToken)}
      />
      {hasDates ? (
        <Group grow>
          <DateTimeInput type="date" label={t("firstDay")} required {...bindText(from, setFrom)} />
          <DateTimeInput type="date" label={t("lastDay")} required {...bindText(to, setTo)} />
        </Group>
      ) : null}
    </FormDialog>
  )
}
