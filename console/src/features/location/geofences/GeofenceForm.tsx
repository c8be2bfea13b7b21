import { Autocomplete, Button, NumberInput, SegmentedControl, Select, Stack, Textarea } from "@mantine/core"
import { IconMapPinCheck } from "@tabler/icons-react"
import { useState } from "react"
import { formatLatLng, parseLatLng } from "../../../../../packages/geodesy/lng-lat-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { PlaceInput } from "../../../map/place/PlaceInput.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormFoot } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { NameAndColor } from "../../../ui/forms/NameAndColor.tsx"
import { WithHistory } from "../../../ui/history/WithHistory.tsx"
import { useHubNames } from "../../work/tasks/people.ts"
import { geofenceMessages } from "./geofence-messages.ts"
import {
  deleteGeofence,
  fewestPoints,
  type GeofenceDraft,
  type GeofenceKind,
  pointsOf,
  pointsText,
  saveGeofence,
} from "./geofences.queries.ts"

const kinds = ["polygon", "circle", "corridor"] as const
const everywhere = "everywhere"

interface GeofenceFormProps {
  draft: GeofenceDraft
  groups: readonly string[]
  /** Whether a click takes an area of the map, and how the last one went. */
  taking: { isOn: boolean; isPart: boolean; error: Error | null }
  onTaking(isOn: boolean): void
  onChange(part: Partial<GeofenceDraft>): void
  onClose(): void
}

export function GeofenceForm({ draft, groups, taking, onTaking, onChange, onClose }: GeofenceFormProps) {
  const t = useMessages(geofenceMessages)
  const hubs = useHubNames()
  const options = { refreshes: [["geofences"]], onDone: onClose }
  const save = useAction(() => saveGeofence(draft), {
    ...options,
    done: () => t("saved", { name: draft.name.trim() }),
  })
  const remove = useAction(() => deleteGeofence(draft.id ?? ""), {
    ...options,
    done: () => t("removed", { name: draft.name }),
  })
  const hint = { polygon: t("drawPolygon"), circle: t("drawCircle"), corridor: t("drawCorridor") }[draft.kind]
  const { id } = draft
  return (
    <div style={{ padding: 16 }}>
      <WithHistory of={id === undefined ? undefined : { objectType: "geofence", objectId: id }}>
        <Form onSubmit={() => save.mutate()}>
          <Stack gap="sm">
            <p className="quiet" role="status">
              {taking.isOn ? t("takeHint") : taking.isPart ? t("takenPart") : hint}
            </p>
            <FormError error={taking.error} />
            <Button
              variant={taking.isOn ? "filled" : "default"}
              aria-pressed={taking.isOn}
              leftSection={<IconMapPinCheck size={16} aria-hidden />}
              onClick={() => onTaking(!taking.isOn)}
            >
              {t("take")}
            </Button>
            <NameAndColor
              labels={{ name: t("name"), color: t("color") }}
              maxLength={200}
              value={draft}
              onChange={onChange}
            />
            <Autocomplete
              label={t("group")}
              maxLength={200}
              data={[...groups]}
              value={draft.group}
              onChange={(group) => onChange({ group })}
            />
            <Select
              label={t("hub")}
              allowDeselect={false}
              data={[
                { value: everywhere, label: t("everywhere") },
                ...[...hubs].map(([value, label]) => ({ value, label })),
              ]}
              value={draft.hubId ?? everywhere}
              onChange={(value) => onChange({ hubId: value === everywhere ? null : value })}
            />
            <SegmentedControl
              aria-label={t("kind")}
              data={kinds.map((kind) => ({ value: kind, label: t(kind) }))}
              value={draft.kind}
              onChange={(kind) => onChange(changedKind(draft, kind as GeofenceKind))}
            />
            {draft.kind === "polygon" ? null : (
              <NumberInput
                label={t(draft.kind === "circle" ? "radius" : "width")}
                min={1}
                max={draft.kind === "circle" ? 500_000 : 100_000}
                value={draft.meters}
                onChange={(meters) => onChange({ meters: Number(meters) || 1 })}
              />
            )}
            {draft.kind === "circle" ? (
              <Center draft={draft} onChange={onChange} />
            ) : (
              <Coordinates draft={draft} onChange={onChange} />
            )}
            <FormFoot
              request={{ error: save.error ?? remove.error, isPending: save.isPending }}
              isDisabled={draft.points.length < fewestPoints[draft.kind]}
              onCancel={onClose}
              aside={
                draft.id === undefined ? null : (
                  <Button
                    variant="subtle"
                    color="red"
                    loading={remove.isPending}
                    onClick={() => remove.mutate()}
                  >
                    {t("delete")}
                  </Button>
                )
              }
            />
          </Stack>
        </Form>
      </WithHistory>
    </div>
  )
}

/** The centre of a circle as a place: an address, coordinates or a link; the map beside it takes clicks. */
function Center({ draft, onChange }: Pick<GeofenceFormProps, "draft" | "onChange">) {
  const t = useMessages(geofenceMessages)
  const [typed, setTyped] = useState<string>()
  const [point] = draft.points
  return (
    <PlaceInput
      key={point?.join()}
      label={t("center")}
      required
      withAsterisk={false}
      hasMap={false}
      value={typed ?? (point ? formatLatLng(point) : "")}
      near={point}
      onChange={(text) => {
        const position = parseLatLng(text)
        setTyped(position ? undefined : text)
        if (position) onChange({ points: [position] })
      }}
    />
  )
}

/** The points as text, for those who do not use the map; what is not readable yet stays as it is typed. */
function Coordinates({ draft, onChange }: Pick<GeofenceFormProps, "draft" | "onChange">) {
  const t = useMessages(geofenceMessages)
  const [typed, setTyped] = useState<string>()
  return (
    <>
      <Textarea
        label={t("points")}
        description={t("pointsHint")}
        autosize
        minRows={3}
        maxRows={10}
        value={typed ?? pointsText(draft.points)}
        error={typed !== undefined && !pointsOf(typed) ? t("pointsWrong") : null}
        onBlur={() => {
          if (typed !== undefined && pointsOf(typed)) setTyped(undefined)
        }}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          const points = pointsOf(value)
          if (points) onChange({ points })
        }}
      />
      {draft.points.length > 1 ? (
        <Button
          size="compact-sm"
          variant="default"
          style={{ alignSelf: "flex-start" }}
          onClick={() => onChange({ points: draft.points.slice(0, -1) })}
        >
          {t("removeLast")}
        </Button>
      ) : null}
    </>
  )
}

function changedKind({ points }: GeofenceDraft, kind: GeofenceKind): Partial<GeofenceDraft> {
  return { kind, holes: [], points: kind === "circle" ? points.slice(0, 1) : points }
}
