import { Select } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import { useHubNames } from "../../work/tasks/people.ts"
import type { ActionFieldsProps } from "./ActionFields.tsx"
import { eventKinds, type Person } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"
import { PeopleFields } from "./PeopleFields.tsx"
import { ValueFields } from "./ValueFields.tsx"

const sameHub = "same"

/** Making a task, moving one, assigning one. */
export function TaskFields({ draft, catalogue, source, change }: ActionFieldsProps) {
  const t = useMessages(automationMessages)
  const hubs = useHubNames()
  const makesTask = draft.action === "createTask" || draft.action === "createAssignTask"
  const assigns = draft.action === "createAssignTask" || draft.action === "assignTask"
  return (
    <>
      {makesTask ? (
        <Select
          label={t("targetFlow")}
          placeholder={t("choose")}
          required
          searchable
          data={catalogue.flows.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={draft.targetFlowId || null}
          onChange={(targetFlowId) => change({ targetFlowId: targetFlowId ?? "", values: [] })}
        />
      ) : null}
      <Select
        label={t("hub")}
        placeholder={t("choose")}
        required
        searchable
        allowDeselect={false}
        data={[
          ...(makesTask ? [{ value: sameHub, label: t("sameHub") }] : []),
          ...[...hubs].map(([value, label]) => ({ value, label })),
        ]}
        value={draft.hubId || (makesTask ? sameHub : null)}
        onChange={(hubId) => change({ hubId: hubId === sameHub ? "" : (hubId ?? "") })}
      />
      {assigns ? <AssigneeFields draft={draft} change={change} /> : null}
      {makesTask && draft.targetFlowId ? (
        <ValueFields
          draft={draft}
          source={source}
          change={change}
          fields={catalogue.fieldsOfFlow(draft.targetFlowId)}
        />
      ) : null}
    </>
  )
}

function AssigneeFields({ draft, change }: Pick<ActionFieldsProps, "draft" | "change">) {
  const t = useMessages(automationMessages)
  // A new task has not been finished by anyone, and a task that is assigned already has an assignee.
  const mayReassign =
    draft.action === "createAssignTask" &&
    eventKinds[draft.event] === "task" &&
    draft.event !== "onTaskAssigned"
  const known: readonly Person[] =
    draft.event === "onTaskFinished" || draft.event === "onTaskFailed"
      ? ["assignee", "assignedBy", "doneBy"]
      : ["assignee", "assignedBy"]
  return (
    <PeopleFields
      label={t("assignee")}
      required
      from={mayReassign ? known : []}
      taken={mayReassign ? draft.reassignment : ""}
      chosen={draft.assignee}
      onTake={(reassignment) => change({ reassignment })}
      onChoose={(assignee) => change({ assignee })}
    />
  )
}
