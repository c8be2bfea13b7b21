import { useMemo } from "react"
import { taskOutcomes } from "#shared/task-outcomes.ts"
import { taskPriorities } from "#shared/task-priorities.ts"
import { taskStatuses } from "#shared/task-status.ts"
import { isNumberInput } from "#shared/values.ts"
import { fieldLabel } from "../../../../i18n/field-title.ts"
import { useLanguage, useMessages } from "../../../../i18n/language.tsx"
import { choicesOf, type FilterableField, lateField } from "../../../../ui/filters/filter-draft.ts"
import { builderMessages } from "../../../../ui/filters/filter-messages.ts"
import { type Flow, type FlowComponent, namedComponents } from "../../flows/flows.queries.ts"
import { outcomeMessages } from "../../outcome-messages.ts"
import { labelMessages } from "../label-messages.ts"
import { taskMessages } from "../messages.ts"
import { useHubNames } from "../people.ts"
import { filterMessages } from "./filter-messages.ts"

const texts = [
  "title",
  "content",
  "label",
  "tags",
  "refId",
  "outcomeReason",
  "lateReason",
  "customerInstructions",
]
const rareTexts = ["_outcomeReason", "_lateReason", "_previousTaskId"]
/** The times by which reports divide tasks into days and hours. */
const reportTimes = ["createdTime", "startTime", "doneTime", "endTime"]
const times = ["createdTime", "updatedTime", "assignedTime", "doneTime", "arrivedTime"]

/** What tasks can be filtered by: their own fields, then the components of the flows, each id once. */
export function useTaskFilterFields(
  flows: readonly Flow[],
  people: ReadonlyMap<string, string>,
): FilterableField[] {
  const t = useMessages(taskMessages)
  const tOutcome = useMessages(outcomeMessages)
  const tLabel = useMessages(labelMessages)
  const tBuilder = useMessages(builderMessages)
  const tList = useMessages(filterMessages)
  const { language } = useLanguage()
  const hubs = useHubNames()
  return useMemo(() => {
    const named = (id: string, kind: FilterableField["kind"]): FilterableField => ({
      id,
      kind,
      title: fieldLabel(id, language),
    })
    const choice = (
      id: string,
      title: string,
      options: FilterableField["options"] = [],
    ): FilterableField => ({
      id,
      title,
      kind: "choice",
      options,
    })
    const persons = choicesOf(people)
    const own: FilterableField[] = [
      choice(
        "status",
        t("status"),
        taskStatuses.map((value) => ({ value, label: t(value) })),
      ),
      { id: lateField, title: tBuilder("lateTasks"), kind: "text" },
      choice(
        "outcome",
        tOutcome("outcome"),
        taskOutcomes.map((value) => ({ value, label: tOutcome(value) })),
      ),
      choice(
        "priority",
        tLabel("priority"),
        taskPriorities.map((value) => ({ value, label: tLabel(value) })),
      ),
      choice("assignee", t("assignee"), persons),
      choice(
        "flowId",
        t("flow"),
        flows.map(({ _id, name }) => ({ value: _id, label: name })),
      ),
      choice("hubId", t("hub"), choicesOf(hubs)),
      ...texts.map((id) => named(id, "text")),
      { id: "startTime", title: t("start"), kind: "time" },
      { id: "endTime", title: t("end"), kind: "time" },
      ...times.map((id) => named(id, "time")),
      { ...named("doneBy", "choice"), options: persons },
      named("needsReview", "flag"),
      named("expectedCoordinate", "place"),
      // As reports name them, where a component may have the same name.
      ...rareTexts.map((id) => ({ ...named(id.slice(1), "text"), id, isRare: true })),
      { ...named("isLate", "flag"), id: "_isLate", isRare: true },
      ...reportTimes.flatMap((id): FilterableField[] => {
        const time = fieldLabel(id, language)
        return [
          { id: `${id}.weekday`, title: tList("weekdayOf", { time }), kind: "number", isRare: true },
          { id: `${id}.hour`, title: tList("hourOf", { time }), kind: "number", isRare: true },
        ]
      }),
      { id: "stars", title: tList("stars"), kind: "number", isRare: true },
      {
        ...choice("expectedLate", tList("expectedLate"), [{ value: "true", label: tBuilder("yes") }]),
        isRare: true,
      },
      { ...named("createdBy", "choice"), options: persons, isRare: true },
      { ...choice("firstAssignee", t("assignee"), persons), isRare: true },
      {
        ...choice("taskType", fieldLabel("taskType", language), [
          { value: "activityMaster", label: tList("activityWithSteps") },
        ]),
        isRare: true,
      },
    ]
    const known = new Set(own.map(({ id }) => id))
    const components = namedComponents(flows).flatMap(({ component, name }) =>
      component.component === "view" || known.has(component.id) ? [] : [fieldOfComponent(component, name)],
    )
    return [...own, ...components]
  }, [t, tOutcome, tLabel, tBuilder, tList, language, flows, people, hubs])
}

function fieldOfComponent(component: FlowComponent, title: string): FilterableField {
  const { id, options } = component
  const field = { id, title }
  const type = (component.type ?? "").toLowerCase()
  if (isNumberInput(component)) return { ...field, kind: "number" }
  if (component.component.toLowerCase() === "select" && options && options.length > 0)
    return { ...field, kind: "choice", options: options.map((value) => ({ value, label: value })) }
  if (type === "date" || type === "datetime") return { ...field, kind: "time" }
  return { ...field, kind: type === "geolocation" ? "place" : "text" }
}
