import "./PlaceInput.css"
import { ActionIcon, Autocomplete, Group, Tooltip } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconCurrentLocation, IconMap } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react"
import type { LngLat } from "../../../../packages/geodesy/geodesy.ts"
import { formatLatLng, parseLatLng } from "../../../../packages/geodesy/lng-lat-text.ts"
import { isPlaceLink, parsePlaceText } from "../../../../packages/geodesy/place-text.ts"
import { api, responseOf } from "../../api/client.ts"
import { useMessages } from "../../i18n/language.tsx"
import { placeMessages } from "./messages.ts"
import { addressQuery, minSearchLength, suggestionsQuery } from "./places.queries.ts"

const PlacePicker = lazy(() => import("./PlacePicker.tsx"))

export interface PlaceInputProps {
  label?: string
  "aria-label"?: string
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  withAsterisk?: boolean
  autoFocus?: boolean
  size?: "xs" | "sm" | "md"
  /** `latitude,longitude`; while something else is typed, that. */
  value: string
  onChange(value: string): void
  /** Called with the address of a suggestion that was chosen. */
  onAddress?(address: string): void
  onBlur?(): void
  onKeyDown?(event: React.KeyboardEvent): void
  /** What lies near is suggested first, and the map shows it. */
  near?: LngLat | undefined
  /** False beside a map that already takes clicks, and in a cell of a grid. */
  hasMap?: boolean
}

/** A place: type an address, paste coordinates or a link of a map, click the map, or use the device's position. */
export function PlaceInput({ value, onChange, onAddress, near, hasMap = true, ...props }: PlaceInputProps) {
  const t = useMessages(placeMessages)
  const [isMapOpen, setMapOpen] = useState(false)
  const [isImpossible, setImpossible] = useState(false)
  const position = parseLatLng(value)
  const search = useSuggestions(position ? "" : value.trim(), near)
  const around = near ?? search.around
  const { data: address } = useQuery(addressQuery(position, search.hasAddresses))
  const write = (text: string) => {
    setImpossible(false)
    const chosen = search.places.find((place) => place.display_name === text)
    if (chosen) {
      onChange(formatLatLng([roundDegrees(chosen.lon), roundDegrees(chosen.lat)]))
      onAddress?.(chosen.display_name)
      return
    }
    const pasted = parsePlaceText(text)
    // What is typed as it is: a comma must not be taken away while somebody types on.
    onChange(pasted && !/^[\d\s.,+-]*$/.test(text) ? formatLatLng(pasted) : text)
  }
  const pick = useCallback((at: LngLat) => onChange(formatLatLng(at)), [onChange])
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => pick([roundDegrees(coords.longitude), roundDegrees(coords.latitude)]),
      () => setImpossible(true),
      { enableHighAccuracy: true, timeout: 15_000 },
    )
  const finish = () => {
    const pasted = parsePlaceText(value)
    if (pasted && !position) onChange(formatLatLng(pasted))
    props.onBlur?.()
  }
  const buttons = (
    <Group gap={2} wrap="nowrap">
      <IconButton label={t("here")} onClick={locate}>
        <IconCurrentLocation size={18} />
      </IconButton>
      <IconButton
        label={isMapOpen ? t("hideMap") : t("showMap")}
        isPressed={isMapOpen}
        onClick={() => setMapOpen(!isMapOpen)}
      >
        <IconMap size={18} />
      </IconButton>
    </Group>
  )
  const hidden = isPlaceLink(value.trim()) && !parsePlaceText(value) ? t("hiddenPosition") : undefined
  const state = hidden ?? stateOf(position, address ?? undefined, search, t)
  return (
    <div>
      <Autocomplete
        {...props}
        placeholder={search.hasAddresses ? t("address") : t("coordinate")}
        data={[...new Set(search.places.map((place) => place.display_name))]}
        // The server has compared already, and knows typing errors.
        filter={({ options }) => options}
        value={value}
        onChange={write}
        onBlur={finish}
        comboboxProps={{ withinPortal: true }}
        {...(isImpossible ? { error: t("hereFailed") } : {})}
        description={state ?? props.description}
        inputWrapperOrder={["label", "input", "description", "error"]}
        {...(hasMap
          ? { rightSection: buttons, rightSectionWidth: 76, rightSectionPointerEvents: "all" }
          : {})}
      />
      {isMapOpen ? (
        <div className="place-input-map">
          <Suspense fallback={<div className="map" aria-busy="true" />}>
            <PlacePicker position={position} around={around} onPick={pick} />
          </Suspense>
        </div>
      ) : null}
    </div>
  )
}

const roundDegrees = (degrees: string | number) => Math.round(Number(degrees) * 1e6) / 1e6

interface Suggestions {
  readonly places: readonly { display_name: string; lat: string; lon: string }[]
  readonly hasAddresses: boolean
  /** The middle of the first installed map. */
  readonly around: LngLat | undefined
  /** The search for what is typed has ended. */
  readonly isDone: boolean
  readonly hasFailed: boolean
}

const typingMilliseconds = 180

function useSuggestions(text: string, near: LngLat | undefined): Suggestions {
  const { data: settings } = useQuery({
    queryKey: ["console-settings"],
    queryFn: () => responseOf(api.GET("/api/v3/console-settings")),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const maps = settings?.data.maps ?? []
  const hasAddresses = maps.some((map) => map.hasAddresses)
  const [west, south, east, north] = maps[0]?.bounds ?? []
  const around: LngLat | undefined =
    west === undefined || south === undefined || east === undefined || north === undefined
      ? undefined
      : [(west + east) / 2, (south + north) / 2]
  const [waited] = useDebouncedValue(text, typingMilliseconds)
  const isPlace = parsePlaceText(text) !== undefined || isPlaceLink(text)
  const isSearch = hasAddresses && text.length >= minSearchLength && !isPlace
  const { data = [], isFetching, isError } = useQuery(suggestionsQuery(isSearch ? waited : "", near))
  const isDone = isSearch && waited === text && !isFetching
  return { places: isSearch ? data : [], hasAddresses, around, isDone, hasFailed: isDone && isError }
}

/** What is said below the field: the address of the place, or what to do. */
function stateOf(
  position: LngLat | undefined,
  address: string | undefined,
  { hasAddresses, isDone, hasFailed, places }: Suggestions,
  t: (key: keyof typeof placeMessages.en) => string,
): string | undefined {
  if (position) return address
  if (!hasAddresses) return t("noAddresses")
  if (hasFailed) return t("failed")
  if (!isDone) return undefined
  return places.length === 0 ? t("nothing") : t("choose")
}

function IconButton({
  label,
  isPressed,
  onClick,
  children,
}: {
  label: string
  isPressed?: boolean
  onClick(): void
  children: ReactNode
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isPressed ? "light" : "subtle"}
        {...(isPressed ? {} : { color: "gray" })}
        size={34}
        aria-label={label}
        {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
