import { FileInput, Select } from "@mantine/core"
import { IconFileUpload } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { useHubNames } from "../../work/tasks/people.ts"
import { geofenceMessages } from "./geofence-messages.ts"
import { importGeofences } from "./geofences.queries.ts"

const everywhere = "everywhere"

/** Takes a file, and afterwards shows what of it was not imported. */
export function GeofenceImport({ hub, onClose }: { hub: string | undefined; onClose(): void }) {
  const t = useMessages(geofenceMessages)
  const hubs = useHubNames()
  const [file, setFile] = useState<File | null>(null)
  const [hubId, setHubId] = useState(hub ?? everywhere)
  const send = useAction((chosen: File) => importGeofences(chosen, hubId === everywhere ? null : hubId), {
    refreshes: [["geofences"]],
    done: ({ created, replaced }) => t("imported", { created, replaced }),
    onDone: ({ totalFailed }) => {
      if (totalFailed === 0) onClose()
    },
  })
  if (send.data)
    return (
      <OpenModal title={t("notImported", { count: send.data.totalFailed })} onClose={onClose}>
        <ul>
          {send.data.failed.map(({ name, reason }) => (
            <li key={`${name} ${reason}`}>
              {name}: {reason}
            </li>
          ))}
        </ul>
      </OpenModal>
    )
  return (
    <FormDialog
      title={t("importTitle")}
      request={send}
      submit={t("import")}
      isDisabled={file === null}
      onSubmit={() => file && send.mutate(file)}
      onClose={onClose}
    >
      <p className="quiet">{t("importText")}</p>
      <FileInput
        label={t("file")}
        placeholder={t("chooseFile")}
        leftSection={<IconFileUpload size={16} aria-hidden />}
        clearable
        accept=".geojson,.json,.kml,application/geo+json,application/vnd.google-earth.kml+xml"
        value={file}
        onChange={setFile}
      />
      <Select
        label={t("hub")}
        allowDeselect={false}
        data={[
          { value: everywhere, label: t("everywhere") },
          ...[...hubs].map(([value, label]) => ({ value, label })),
        ]}
        value={hubId}
        onChange={(value) => setHubId(value ?? everywhere)}
      />
    </FormDialog>
  )
}
