import { Group, PasswordInput, Select, TextInput } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import {
  dumpCollections,
  needsDates,
  type OtherSystem,
  otherSystemIds,
  otherSystems,
} from "#shared/other-systems.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { importMessages } from "./messages.ts"
import { readingMessages } from "./reading-messages.ts"
import { type Reading, startReading } from "./readings.queries.ts"

interface OtherSystemDialogProps {
  /** An earlier reading whose choices are offered again; its key is not there any more. */
  like?: Reading
  onClose(): void
}

/** Starts reading a list of another system; what it returns is then mapped and imported like a file. */
export function OtherSystemDialog({ like, onClose }: OtherSystemDialogProps) {
  const t = useMessages(importMessages)
  const tReading = useMessages(readingMessages)
  const navigate = useNavigate()
  const [system, setSystem] = useState<OtherSystem>(
    otherSystemIds.find((id) => id === like?.system) ?? "traccar",
  )
  const [collection, setCollection] = useState<string>(
    like?.collection ?? otherSystems.traccar.collections[0],
  )
  const [isDump, setDump] = useState(like?.filename !== undefined)
  const [dump, setDumpFile] = useState<File | null>(null)
  const [address, setAddress] = useState(like?.address ?? "")
  const [token, setToken] = useState("")
  const [from, setFrom] = useState(like?.from ?? "")
  const [to, setTo] = useState(like?.to ?? "")
  const known = otherSystems[system]
  const usesDump = isDump && system === "traccar"
  const hasDates = !usesDump && needsDates(system, collection)
  const lists: readonly string[] = usesDump ? dumpCollections : known.collections
  const read = useAction(
    () =>
      startReading(
        usesDump && dump
          ? { collection, dump }
          : {
              system,
              collection,
              token,
              ...(address.trim() ? { address: address.trim() } : {}),
              ...(hasDates ? { from, to } : {}),
            },
      ),
    {
      onDone: ({ _id }) => {
        onClose()
        return navigate({ to: paths.reading, params: { readingId: _id } })
      },
    },
  )
  const isReady = usesDump
    ? dump !== null
    : token !== "" && (known.address || address.trim()) && (!hasDates || (from && to))
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
      {system === "traccar" ? (
        <Select
          label={tReading("source")}
          allowDeselect={false}
          data={[
            { value: "api", label: tReading("fromApi") },
            { value: "dump", label: tReading("fromDump") },
          ]}
          value={isDump ? "dump" : "api"}
          onChange={(value) => {
            setDump(value === "dump")
            read.reset()
          }}
        />
      ) : null}
      <Select
        label={t("collection")}
        data={lists.map((id) => ({ value: id, label: t(`list-${id}` as "list-devices") }))}
        value={collection}
        allowDeselect={false}
        onChange={(value) => value && setCollection(value)}
      />
      {usesDump ? (
        <TextInput
          type="file"
          label={tReading("dump")}
          description={tReading("dumpHint")}
          accept=".sql,.gz"
          required
          onChange={({ currentTarget }) => setDumpFile(currentTarget.files?.[0] ?? null)}
        />
      ) : (
        <>
          <TextInput
            type="url"
            label={t("systemAddress")}
            placeholder={known.address ?? (system === "v3" ? "https://…/api/v3" : "https://…")}
            required={known.address === undefined}
            {...bindText(address, setAddress)}
          />
          <PasswordInput
            label={t("systemKey")}
            description={tReading("keyHint")}
            autoComplete="off"
            required
            {...bindText(token, setToken)}
          />
        </>
      )}
      {hasDates ? (
        <Group grow align="start">
          <DateTimeInput type="date" label={t("firstDay")} required {...bindText(from, setFrom)} />
          <DateTimeInput type="date" label={t("lastDay")} required {...bindText(to, setTo)} />
        </Group>
      ) : null}
    </FormDialog>
  )
}
