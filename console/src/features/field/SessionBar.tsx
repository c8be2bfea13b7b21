import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { parseTime, useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { OpenModal } from "../../ui/layout/OpenModal.tsx"
import { useNow } from "../../ui/now.ts"
import { attendanceMessages } from "./attendance/attendance-messages.ts"
import { openSessionQuery } from "./attendance/open-session.ts"
import { breakSince, type Shift, workedMilliseconds } from "./attendance/shift.ts"
import { useConsent } from "./attendance/use-consent.ts"
import { serverNow } from "./clock.ts"
import { useIsReachable } from "./connection.ts"
import { useField, useHeld } from "./field-context.ts"
import { markSession, NoPlaceError } from "./kept/field-positions.ts"
import { NotKeptError } from "./kept/field-store.ts"
import { useStopTimes } from "./stop/stop-times.ts"

const minute = 60_000

/** Begins and ends the time of work and its breaks. Positions are sent only in between, and it says so. */
export function SessionBar() {
  const t = useMessages(attendanceMessages)
  const { may } = useSession()
  const { shift } = useHeld()
  const consent = useConsent()
  const [isAsking, setAsking] = useState(false)
  const { change, error } = useShiftChange()
  const times = useStopTimes()
  const openSince = useOpenElsewhere()
  const pausedAt = shift && breakSince(shift)
  const adopt = (startedAt: string) =>
    change.mutate({ mark: undefined, next: { startedAt, breaks: [], meters: 0, isTracked: consent.isGiven } })
  const start = (isTracked: boolean) =>
    change.mutate({
      mark: isTracked ? "start" : undefined,
      next: { startedAt: timeNow(), breaks: [], meters: 0, isTracked },
    })
  const pause = () =>
    shift &&
    change.mutate({
      mark: shift.isTracked ? "finish" : undefined,
      next: { ...shift, breaks: [...shift.breaks, { from: timeNow() }] },
    })
  const resume = () =>
    shift &&
    change.mutate({
      mark: shift.isTracked ? "start" : undefined,
      next: {
        ...shift,
        breaks: shift.breaks.map((one) => (one.to === undefined ? { ...one, to: timeNow() } : one)),
      },
    })
  const finish = () =>
    shift &&
    change.mutate({ mark: shift.isTracked && pausedAt === undefined ? "finish" : undefined, next: undefined })
  const button = { size: "lg", loading: change.isPending } as const
  return (
    <section className="work-session" aria-label={t("session")}>
      {shift ? (
        <Group grow wrap="nowrap" gap="xs">
          <Button {...button} variant={pausedAt ? "filled" : "default"} onClick={pausedAt ? resume : pause}>
            {t(pausedAt ? "resume" : "pause")}
          </Button>
          <Button {...button} variant="default" onClick={finish}>
            {t("finish")}
          </Button>
        </Group>
      ) : openSince ? (
        <Stack gap="xs">
          <Button {...button} onClick={() => adopt(openSince)}>
            {t("goOnHere")}
          </Button>
          <Button
            {...button}
            variant="default"
            onClick={() => change.mutate({ mark: "finish", next: undefined })}
          >
            {t("finish")}
          </Button>
        </Stack>
      ) : (
        <Button
          {...button}
          fullWidth
          variant="light"
          onClick={() => (consent.isGiven ? start(true) : setAsking(true))}
        >
          {t("start")}
        </Button>
      )}
      {openSince ? <p>{t("openElsewhere", { time: times.at(openSince) })}</p> : <ShiftText shift={shift} />}
      <p className="quiet">
        {may("position/always") ? t("always") : t("background")}{" "}
        <Anchor component={Link} to={paths.fieldTracking} inherit underline="always">
          {t("companion")}
        </Anchor>
      </p>
      {error instanceof NoPlaceError ? (
        <Alert color="red" role="alert">
          {t("noPlace")}
        </Alert>
      ) : (
        <FormError error={error} />
      )}
      {isAsking ? (
        <ConsentDialog
          onClose={() => setAsking(false)}
          onDecide={(isGiven) => {
            setAsking(false)
            if (!isGiven) start(false)
            else
              void consent.decide(true).then(
                () => start(true),
                () => start(false),
              )
          }}
        />
      ) : null}
    </section>
  )
}

interface ConsentDialogProps {
  onClose(): void
  onDecide(isGiven: boolean): void
}

/** Asks whether positions may be recorded; work also starts without. */
function ConsentDialog({ onClose, onDecide }: ConsentDialogProps) {
  const t = useMessages(attendanceMessages)
  return (
    <OpenModal onClose={onClose} title={t("consentTitle")} size="sm">
      <Stack gap="sm">
        <Text>{t("consentText")}</Text>
        <Button size="lg" onClick={() => onDecide(true)}>
          {t("agree")}
        </Button>
        <Button size="lg" variant="default" onClick={() => onDecide(false)}>
          {t("startUntracked")}
        </Button>
      </Stack>
    </OpenModal>
  )
}

function timeNow(): string {
  return new Date(serverNow()).toISOString()
}

/** Since when a session is open on the server that this phone knows nothing of. */
function useOpenElsewhere(): string | undefined {
  const { user } = useSession()
  const { store } = useField()
  const { shift, unsentPositions } = useHeld()
  const isReachable = useIsReachable()
  // What this phone has not sent yet may be the end of that very session.
  const enabled = isReachable && shift === undefined && unsentPositions === 0
  const { data } = useQuery({ ...openSessionQuery(store, user.email), enabled })
  return enabled ? parseTime(data)?.toISOString() : undefined
}

interface ShiftChange {
  mark: "start" | "finish" | undefined
  next: Shift | undefined
}

/** Marks the session with the place and time of the moment, and keeps the shift. */
function useShiftChange() {
  const { user } = useSession()
  const { store, setShift, setNotKept, send } = useField()
  const client = useQueryClient()
  const change = useMutation({
    networkMode: "always",
    mutationFn: async ({ mark }: ShiftChange) => {
      if (mark) await markSession(store, user.email, mark)
    },
    onSuccess: (_done, { mark, next }) => {
      setShift(next)
      if (mark) void send().then(() => client.invalidateQueries({ queryKey: ["open-session"] }))
    },
    onError: (error) => {
      if (error instanceof NotKeptError) setNotKept(true)
    },
  })
  const error = change.error instanceof NotKeptError ? undefined : (change.error ?? undefined)
  return { change, error }
}

/** Since when, and how much so far. */
function ShiftText({ shift }: { shift: Shift | undefined }) {
  const t = useMessages(attendanceMessages)
  const times = useStopTimes()
  const formats = useFormats()
  useNow(minute)
  if (!shift) return <p className="quiet">{t("notWorking")}</p>
  const pausedAt = breakSince(shift)
  const minutes = Math.floor(workedMilliseconds(shift, serverNow()) / minute)
  return (
    <>
      <p className="quiet">
        {pausedAt
          ? t("onBreak", { time: times.at(pausedAt) })
          : t(shift.isTracked ? "working" : "workingUntracked", { time: times.at(shift.startedAt) })}
      </p>
      <p>
        {t("totals", {
          hours: Math.floor(minutes / 60),
          minutes: minutes % 60,
          distance: formats.distance(shift.meters),
        })}
      </p>
    </>
  )
}
