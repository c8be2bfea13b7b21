import { Button, Group, Loader, Text } from "@mantine/core"
import { IconCheck } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parseLatLng } from "../../../../../packages/geodesy/lng-lat-text.ts"
import { server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { PlaceInput } from "../../../map/place/PlaceInput.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { type DoubtfulPlace, doubtfulPlacesQuery, type Import } from "./imports.queries.ts"
import { importMessages } from "./messages.ts"

const shownAtOnce = 20

/** Places that were looked up from addresses and are not sure, each with a field and a map to correct it. */
export function DoubtfulPlaces({ record }: { record: Import }) {
  const t = useMessages(importMessages)
  const [shown, setShown] = useState(shownAtOnce)
  const { data: { data = [], isLocating = false } = {} } = useQuery(doubtfulPlacesQuery(record._id))
  if (isLocating)
    return (
      <Group className="hint" gap="xs" wrap="nowrap" role="status">
        <Loader size="xs" />
        {t("locating")}
      </Group>
    )
  if (data.length === 0) return null
  return (
    <section className="card" aria-label={t("doubtfulCount", { count: data.length })}>
      <header className="card-header">
        <h2>{t("doubtfulCount", { count: data.length })}</h2>
        <span className="quiet">{t("doubtfulHint")}</span>
      </header>
      <ul className="doubtful-places">
        {data.slice(0, shown).map((place) => (
          <PlaceRow
            key={`${place.taskId ?? place.recordId} ${place.componentId}`}
            importId={record._id}
            place={place}
          />
        ))}
      </ul>
      {data.length > shown ? (
        <Button variant="subtle" onClick={() => setShown(shown + shownAtOnce)}>
          {t("showMore")}
        </Button>
      ) : null}
    </section>
  )
}

function PlaceRow({ importId, place }: { importId: string; place: DoubtfulPlace }) {
  const t = useMessages(importMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const [value, setValue] = useState(place.coordinate ?? "")
  const body = { [place.componentId]: value }
  const { taskId = "", recordId } = place
  const save = useAction(
    async () => {
      if (recordId === undefined) await server.patch("/api/v3/task/{taskId}", { taskId, body })
      else await server.patch("/api/v3/data/{recordId}", { recordId, body })
    },
    {
      refreshes: recordId === undefined ? [["tasks"]] : [["data-records"]],
      onDone: () => client.invalidateQueries({ queryKey: doubtfulPlacesQuery(importId).queryKey }),
    },
  )
  const isNew = parseLatLng(value) !== undefined && value !== place.coordinate
  return (
    <li>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {place.title || place.address}
        </Text>
        <Text size="sm" c="dimmed">
          {place.coordinate === null
            ? t("notFound")
            : t("confidence", { percent: formats.number(Math.round(place.confidence * 100)) })}
        </Text>
      </Group>
      <PlaceInput label={place.address} value={value} onChange={setValue} />
      <FormError error={save.error} />
      {isNew ? (
        <Group justify="flex-end">
          <Button
            size="xs"
            leftSection={<IconCheck size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {t("savePlace")}
          </Button>
        </Group>
      ) : null}
    </li>
  )
}
