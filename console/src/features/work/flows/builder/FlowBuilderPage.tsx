import "./builder.css"
import { ActionIcon, Button, Group, Menu, TextInput } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { type DragEvent, useState } from "react"
import { server } from "../../../../api/server.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import type { PageLoader } from "../../../../page-loader.ts"
import { paths } from "../../../../paths.ts"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { Explained } from "../../../../ui/Explained.tsx"
import { bindText } from "../../../../ui/forms/bind.ts"
import { FormError } from "../../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../../ui/forms/leave-warning.tsx"
import { PageHeader } from "../../../../ui/layout/PageHeader.tsx"
import { notifyDone } from "../../../../ui/notify.ts"
import { componentKindName, componentKinds } from "../fields/component-kind.ts"
import { inputTypeMessages } from "../fields/input-type.ts"
import { componentsOf, type Flow, flowQuery } from "../flows.queries.ts"
import { flowMessages } from "../messages.ts"
import { builderMessages } from "./builder-messages.ts"
import { ComponentSettings } from "./ComponentSettings.tsx"
import { DataSources } from "./DataSources.tsx"
import { dataSourcesOf, keyFieldId } from "./data-sources.ts"
import {
  addComponent,
  addPage,
  changeComponent,
  draftOf,
  type FlowDraft,
  fieldOnlyTitles,
  moveComponent,
  nameNewComponents,
  newComponent,
  type Place,
  removeComponent,
  withoutGaps,
} from "./flow-draft.ts"
import { InspectionSettings } from "./InspectionSettings.tsx"
import { OutcomeSettings } from "./OutcomeSettings.tsx"
import { withRequiredOf } from "./outcome-settings.ts"
import { PhonePreview } from "./PhonePreview.tsx"

export const loader: PageLoader = async ({ client, params: { flowId } }) =>
  flowId && client.ensureQueryData(flowQuery(flowId))

export function FlowNewPage() {
  return <Builder flow={undefined} />
}

export function FlowEditPage() {
  const { flowId } = useParams({ from: "/signed-in/flows/$flowId/edit" })
  const { data: flow } = useSuspenseQuery(flowQuery(flowId))
  return <Builder key={flow._id} flow={flow} />
}

function Builder({ flow }: { flow: Flow | undefined }) {
  const t = useMessages(builderMessages)
  const navigate = useNavigate()
  const [draft, setDraft] = useState<FlowDraft>(() => draftOf(flow, [t("planPage"), t("workPage")]))
  const [chosen, setChosen] = useState<Place>()
  const [isChanged, setChanged] = useState(false)
  const change = (next: FlowDraft) => {
    setDraft(next)
    setChanged(true)
  }
  const save = useAction(
    async () => {
      const named = nameNewComponents(
        flow ? draft : withoutGaps(draft),
        new Set(flow ? componentsOf(flow).map(({ id }) => id) : []),
      )
      const ids = new Set(named.pages.flatMap((page) => page.components.map(({ id }) => id)))
      const body = {
        name: draft.name.trim(),
        pages: named.pages.map(({ title, ...page }) => (title ? { ...page, title } : page)),
        ...(named.configurations.length > 0 || flow
          ? { configurations: withRequiredOf(named.configurations, ids) }
          : {}),
        ...(flow ? { isDefault: flow.isDefault } : {}),
      }
      if (flow) return (await server.put("/api/v3/flow/{flowId}", { flowId: flow._id, body })).flow
      return (await server.post("/api/v3/flow", { body })).flow
    },
    {
      refreshes: [["flows"], ["flow"]],
      onDone: async (saved) => {
        setChanged(false)
        notifyDone(t("saved"))
        await navigate({ to: paths.flow, params: { flowId: saved._id }, ignoreBlocker: true })
      },
    },
  )
  useLeaveWarning(isChanged && !save.isAccepted)
  const component = chosen ? draft.pages[chosen.page]?.components[chosen.index] : undefined
  const shownPage = draft.pages[chosen?.page ?? 0]
  const untitled = draft.pages.some((page) => page.components.some((candidate) => !candidate.title?.trim()))
  const keyless = dataSourcesOf(draft.configurations).some(
    ({ fields }) => !fields.some(({ id }) => id === keyFieldId),
  )
  const reason =
    draft.name.trim() === ""
      ? t("needsName")
      : untitled
        ? t("needsTitle")
        : keyless
          ? t("needsKeys")
          : undefined
  const others = draft.pages
    .flatMap((page) => page.components)
    .filter((candidate) => candidate.id !== component?.id)
  return (
    <div className="page">
      <PageHeader title={flow ? t("edit") : t("newFlow")}>
        <Button variant="default" component={Link} to={flow ? `/flows/${flow._id}` : paths.flows}>
          {t("cancel")}
        </Button>
        <Explained reason={reason}>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {t("save")}
          </Button>
        </Explained>
      </PageHeader>
      <div className="page-body builder">
        <div className="builder-pages">
          <FormError error={save.error} />
          <TextInput
            label={t("name")}
            required
            maxLength={100}
            {...bindText(draft.name, (name) => change({ ...draft, name }))}
          />
          {draft.pages.map((page, number) => (
            <BuilderPage
              key={page.id}
              draft={draft}
              number={number}
              chosen={chosen}
              onChoose={setChosen}
              onChange={change}
            />
          ))}
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => change(addPage(draft))}
            style={{ justifySelf: "start" }}
          >
            {t("addPage")}
          </Button>
          <DataSources draft={draft} onChange={change} />
          <OutcomeSettings draft={draft} onChange={change} />
          <InspectionSettings draft={draft} onChange={change} />
        </div>
        <aside className="builder-settings">
          {component && chosen ? (
            <ComponentSettings
              key={`${chosen.page}-${component.id}`}
              component={component}
              flowId={flow?._id}
              others={others}
              isOnFirstPage={chosen.page === 0}
              onChange={(part) => change(changeComponent(draft, chosen, part))}
            />
          ) : (
            <p className="quiet">{untitled ? t("needsTitle") : t("choose")}</p>
          )}
          {shownPage ? (
            <PhonePreview flowName={draft.name} page={shownPage} number={(chosen?.page ?? 0) + 1} />
          ) : null}
        </aside>
      </div>
    </div>
  )
}

interface BuilderPageProps {
  draft: FlowDraft
  number: number
  chosen: Place | undefined
  onChoose(place: Place | undefined): void
  onChange(draft: FlowDraft): void
}

const dragType = "application/x-fieldway-component"

/** One page: its fields in order, to be dragged or moved with the arrows, also from page to page. */
function BuilderPage({ draft, number, chosen, onChoose, onChange }: BuilderPageProps) {
  const t = useMessages(builderMessages)
  const tFlow = useMessages(flowMessages)
  const tType = useMessages(inputTypeMessages)
  const page = draft.pages[number]
  if (!page) return null
  const misplaced = fieldOnlyTitles(page.components)
  const drop = (event: DragEvent, index: number) => {
    const carried = event.dataTransfer.getData(dragType)
    if (!carried) return
    event.preventDefault()
    event.stopPropagation()
    onChange(moveComponent(draft, JSON.parse(carried) as Place, { page: number, index }))
    onChoose(undefined)
  }
  const allow = (event: DragEvent) => {
    if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
  }
  const move = (from: number, to: number) => {
    onChange(
      moveComponent(draft, { page: number, index: from }, { page: number, index: to > from ? to + 1 : to }),
    )
    onChoose({ page: number, index: to })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging has its arrows beside it for keyboards
    <section
      className="card builder-page"
      onDragOver={allow}
      onDrop={(event) => drop(event, page.components.length)}
    >
      <Group justify="space-between" gap="xs">
        <TextInput
          variant="unstyled"
          fw={600}
          style={{ flex: "1 1 160px" }}
          aria-label={t("pageTitle", { number: number + 1 })}
          placeholder={t("pageTitle", { number: number + 1 })}
          value={page.title}
          onChange={(event) => {
            const title = event.currentTarget.value
            onChange({
              ...draft,
              pages: draft.pages.map((other, at) => (at === number ? { ...other, title } : other)),
            })
          }}
        />
        <span className="quiet">{number === 0 ? t("firstPage") : t("fieldPage")}</span>
        {number > 0 ? (
          <ActionIcon
            aria-label={t("removePage", { number: number + 1 })}
            onClick={() => {
              onChange({ ...draft, pages: draft.pages.toSpliced(number, 1) })
              onChoose(undefined)
            }}
          >
            <IconTrash size={16} />
          </ActionIcon>
        ) : null}
      </Group>
      <ol className="builder-fields">
        {page.components.map((component, index) => {
          const title = component.title || component.id
          return (
            <li
              key={component.id}
              className="builder-field"
              data-chosen={chosen?.page === number && chosen.index === index}
              draggable
              onDragStart={(event) =>
                event.dataTransfer.setData(dragType, JSON.stringify({ page: number, index }))
              }
              onDragOver={allow}
              onDrop={(event) => drop(event, index)}
            >
              <IconGripVertical size={16} className="quiet" aria-label={t("drag")} />
              <button
                type="button"
                className="builder-choose"
                onClick={() => onChoose({ page: number, index })}
              >
                <span>{title}</span>
                <span className="quiet">{componentKindName(component, tFlow, tType)}</span>
              </button>
              <ActionIcon
                aria-label={t("up", { title })}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              >
                <IconArrowUp size={15} />
              </ActionIcon>
              <ActionIcon
                aria-label={t("down", { title })}
                disabled={index === page.components.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <IconArrowDown size={15} />
              </ActionIcon>
              <ActionIcon
                aria-label={t("remove", { title })}
                onClick={() => {
                  onChange(removeComponent(draft, { page: number, index }))
                  onChoose(undefined)
                }}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </li>
          )
        })}
      </ol>
      {page.components.length === 0 ? <p className="quiet">{t("nothing")}</p> : null}
      {number === 0 && misplaced.length > 0 ? (
        <p className="overdue" role="note">
          {t("planned", { fields: misplaced })}
        </p>
      ) : null}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="xs"
            variant="light"
            leftSection={<IconPlus size={14} />}
            style={{ justifySelf: "start" }}
          >
            {t("add")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {componentKinds.map((kind) => (
            <Menu.Item
              key={kind}
              onClick={() => {
                onChange(addComponent(draft, number, newComponent(draft, kind, tFlow(kind))))
                onChoose({ page: number, index: page.components.length })
              }}
            >
              {tFlow(kind)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </section>
  )
}
