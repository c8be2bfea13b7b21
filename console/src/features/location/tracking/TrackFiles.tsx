import { FileButton, Group } from "@mantine/core"
import { IconDownload, IconUpload } from "@tabler/icons-react"
import type { ResponseBody } from "../../../api/server.ts"
import { upload } from "../../../api/upload.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { dayMessages } from "./day-messages.ts"

const formats = ["gpx", "kml", "geojson"] as const

/** The track of a person's days as files, and tracks from files as positions of the person. */
export function TrackFiles({ userId, from, until }: { userId: string; from: string; until: string }) {
  const t = useMessages(dayMessages)
  const { may } = useSession()
  const read = useAction(
    async (file: File) => {
      const form = new FormData()
      form.set("file", file)
      return (await upload<ResponseBody<"importTrack">>(`/api/v3/track/${userId}/import`, form)).data
    },
    { refreshes: [["track"], ["visits"]] },
  )
  const { data: result } = read
  return (
    <section aria-label={t("download")}>
      <h3 className="panel-heading">{t("download")}</h3>
      <Group gap="xs">
        {formats.map((format) => (
          <ActionButton
            icon={IconDownload}
            label={t(format)}
            key={format}
            component="a"
            href={`/api/v3/track/${userId}/download?date=${from}&until=${until}&format=${format}`}
            download
            size="xs"
            variant="default"
          />
        ))}
        {may("edit/member") ? (
          <FileButton accept=".gpx,.kml,.geojson,.json" onChange={(file) => file && read.mutate(file)}>
            {(props) => (
              <ActionButton
                {...props}
                icon={IconUpload}
                label={t("importTrack")}
                size="xs"
                variant="default"
                loading={read.isPending}
              />
            )}
          </FileButton>
        ) : null}
      </Group>
      <FormError error={read.error} />
      {result ? (
        <div role="status" className="quiet" style={{ marginTop: 8 }}>
          <p>{t("importedTrack", { count: result.stored })}</p>
          {result.known > 0 ? <p>{t("knownPoints", { count: result.known })}</p> : null}
          {result.refused.map(({ reason, count }) => (
            <p key={reason}>{t("refusedPoints", { count, reason })}</p>
          ))}
        </div>
      ) : null}
    </section>
  )
}
