import "./field.css"
import { ActionIcon, Progress, Skeleton, Stack } from "@mantine/core"
import { IconMenu2, IconMoodSmile } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { BrandMark } from "../../shell/Brand.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import { InboxLink } from "./inbox/InboxLink.tsx"
import { fieldMessages } from "./messages.ts"
import { SessionBar } from "./SessionBar.tsx"
import { DoneList } from "./today/DoneList.tsx"
import { StopList } from "./today/StopList.tsx"
import { TodayActions } from "./today/TodayActions.tsx"
import { useDay } from "./today/use-day.ts"

/** The day: one card per stop in the order of the route, the next one first and largest. */
export function TodayPage() {
  const t = useMessages(fieldMessages)
  const { isRead, error, open, ofToday, done, finished, doneCount } = useDay()
  const total = doneCount + ofToday
  const [isReordering, setReordering] = useState(false)
  return (
    <>
      <header className="field-header">
        <BrandMark />
        <div className="user-names">
          <h1>{t("title")}</h1>
          <span className="user-role">{isRead ? t("progress", { done: doneCount, count: total }) : ""}</span>
        </div>
        <InboxLink />
        <ActionIcon component={Link} to={paths.fieldPhone} size={48} aria-label={t("menu")}>
          <IconMenu2 size={24} />
        </ActionIcon>
      </header>
      {total > 0 ? (
        <Progress
          value={(100 * doneCount) / total}
          size={6}
          radius={0}
          aria-label={t("progress", { done: doneCount, count: total })}
        />
      ) : null}
      <main className="field-main">
        <SessionBar />
        <FormError error={isRead ? undefined : (error ?? undefined)} />
        {!isRead && !error ? (
          <Stack gap="sm">
            <Skeleton h={180} />
            <Skeleton h={90} />
          </Stack>
        ) : null}
        {isRead && open.length === 0 ? (
          <EmptyState icon={IconMoodSmile} title={t("emptyTitle")} text={t("emptyText")} />
        ) : null}
        <TodayActions
          hasStops={open.length > 0}
          mayReorder={open.length > 1}
          isReordering={isReordering}
          onReorder={() => setReordering(!isReordering)}
        />
        {isRead ? <StopList stops={open} doneCount={doneCount} isReordering={isReordering} /> : null}
        <DoneList done={done} waiting={finished} />
      </main>
    </>
  )
}
