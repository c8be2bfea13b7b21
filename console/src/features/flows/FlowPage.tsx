import { Anchor, Badge, Button, Group } from "@mantine/core"
import { IconArrowLeft, IconPencil } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { PageHeader } from "../../ui/PageHeader.tsx"
import { componentKindName } from "./component-kind.ts"
import { componentsOf, flowQuery } from "./flows.queries.ts"
import { inputTypeMessages } from "./input-type.ts"
import { flowMessages } from "./messages.ts"
import { PhonePreview } from "./PhonePreview.tsx"

export function FlowPage() {
  const t = useMessages(flowMessages)
  const tType = useMessages(inputTypeMessages)
  const { may } = useSession()
  const { flowId } = useParams({ from: "/signed-in/flows/$flowId" })
  const { data: flow } = useSuspenseQuery(flowQuery(flowId))
  return (
    <div className="page">
      <PageHeader
        title={flow.name}
        detail={
          <Group gap="xs">
            {flow.isDefault ? <Badge color="gray">{t("default")}</Badge> : null}
            {t("version")} {flow.version}
          </Group>
        }
      >
        {may("edit/flow") ? (
          <Button
            variant="default"
            component={Link}
            to={`/flows/${flow._id}/edit`}
            leftSection={<IconPencil size={16} />}
          >
            {t("edit")}
          </Button>
        ) : null}
        <Anchor component={Link} to={paths.flows} size="sm" style={{ alignSelf: "center" }}>
          <Group gap={4}>
            <IconArrowLeft size={16} aria-hidden /> {t("back")}
          </Group>
        </Anchor>
      </PageHeader>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div className="page-body flow-columns" tabIndex={0}>
        <section aria-label={t("details")}>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t("name")}</th>
                <th>{t("kind")}</th>
                <th className="from-sm">{t("id")}</th>
                <th>{t("use")}</th>
              </tr>
            </thead>
            <tbody>
              {componentsOf(flow).map((component) => (
                <tr key={component.id}>
                  <td>
                    {component.title ?? component.id}
                    {component.required ? <span className="quiet"> · {t("required")}</span> : null}
                  </td>
                  <td className="quiet">
                    {componentKindName(component, t, tType)}
                    {component.component === "input" && component.type ? ` (${component.type})` : ""}
                  </td>
                  <td className="quiet from-sm">
                    <code>{component.id}</code>
                  </td>
                  <td className="quiet">{component.showAs ?? component.routeAs ?? ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section aria-label={t("preview")} className="phones">
          {flow.pages.map((page, index) => (
            <PhonePreview key={page.id} flowName={flow.name} page={page} number={index + 1} />
          ))}
        </section>
      </div>
    </div>
  )
}
