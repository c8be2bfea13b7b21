import { Alert, Button, Group } from "@mantine/core"
import { useCallback, useEffect, useState } from "react"
import { outsideRule } from "#shared/task-outcomes.ts"
import { distanceMeters } from "../../../../../packages/geodesy/geodesy.ts"
import { parseLatLng } from "../../../../../packages/geodesy/lng-lat-text.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useNow } from "../../../ui/now.ts"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { type Fix, fixNow, newestUsableFix } from "../kept/field-positions.ts"
import { fieldMessages } from "../messages.ts"

/** The server's radius for locks that name none. */
const defaultRadiusMeters = 100
const everyMilliseconds = 15_000

interface Lock {
  geoLocation: string
  radius: number | null
}

interface PlaceCheckProps {
  task: Task
  flow: Flow
  /** Hears whether the stop can be finished here. */
  onAllowed(isAllowed: boolean): void
}

/** Where a stop has to be finished at its place: how far away the phone is, before the work is done. */
export function PlaceCheck({ task, flow, onAllowed }: PlaceCheckProps) {
  const t = useMessages(fieldMessages)
  const formats = useFormats()
  const now = useNow(everyMilliseconds)
  const [fix, setFix] = useState<Fix>()
  const [isAsked, setAsked] = useState(false)
  const [lock] = (Array.isArray(task.geoLock) ? task.geoLock : []) as Lock[]
  const place = task.useGeoLock === true && lock ? parseLatLng(lock.geoLocation) : undefined
  const isLocked = place !== undefined
  const measure = useCallback(
    () =>
      fixNow().then((found) => {
        setFix(found ?? newestUsableFix())
        setAsked(true)
      }),
    [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again as time goes on
  useEffect(() => {
    if (isLocked) void measure()
  }, [isLocked, measure, now])
  const at = fix && parseLatLng(fix.coordinate)
  const radius = lock?.radius && lock.radius > 0 ? lock.radius : defaultRadiusMeters
  const distance = at && place ? distanceMeters(at, place) : undefined
  const isOutside =
    isLocked &&
    isAsked &&
    (distance === undefined || distance > radius + Math.min(fix?.accuracyMeters ?? 0, radius))
  const isRejected =
    isOutside && outsideRule((flow.configurations ?? []) as Parameters<typeof outsideRule>[0]) === "reject"
  useEffect(() => onAllowed(!isRejected), [isRejected, onAllowed])
  if (!isOutside) return null
  const consequence = t(isRejected ? "outsideRejected" : "outsideReviewed")
  return (
    <Alert color={isRejected ? "red" : "yellow"} role="status">
      {fix && distance !== undefined
        ? t("outside", {
            distance: formats.distance(distance),
            radius: formats.distance(radius),
            accuracy: formats.distance(fix.accuracyMeters),
            age: formats.ago(new Date(fix.stamp.device).toISOString(), Date.now()),
          })
        : t("noPosition", { radius: formats.distance(radius) })}{" "}
      {consequence}
      <Group mt="xs">
        <Button size="md" variant="default" onClick={() => void measure()}>
          {t("measureAgain")}
        </Button>
      </Group>
    </Alert>
  )
}
