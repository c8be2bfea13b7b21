import "./customers.css"
import { Tabs } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import type { PageLoader } from "../../page-loader.ts"
import { useSession } from "../../session/session.ts"
import { trackingSettingsQuery } from "./customers.queries.ts"
import { FeedbackList } from "./FeedbackList.tsx"
import { MessagesSection } from "./MessagesSection.tsx"
import { customerMessages } from "./messages.ts"
import { RequestForms } from "./RequestForms.tsx"
import { TrackingSettingsForm } from "./TrackingSettingsForm.tsx"

export const loader: PageLoader = ({ client }) => client.ensureQueryData(trackingSettingsQuery)

/** What customers see and receive, and what they say. */
export function CustomersPage() {
  const t = useMessages(customerMessages)
  const mayEdit = useSession().may("edit/organization")
  return (
    <Tabs defaultValue="tracking" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="tracking">{t("trackingTab")}</Tabs.Tab>
        {mayEdit ? <Tabs.Tab value="messages">{t("messagesTab")}</Tabs.Tab> : null}
        <Tabs.Tab value="requests">{t("requestsTab")}</Tabs.Tab>
        <Tabs.Tab value="feedback">{t("feedbackTab")}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tracking" pt="md" px={20}>
        <TrackingSettingsForm />
      </Tabs.Panel>
      {mayEdit ? (
        <Tabs.Panel value="messages" className="customer-sections" pt="md" px={20}>
          <MessagesSection />
        </Tabs.Panel>
      ) : null}
      <Tabs.Panel value="requests" className="customer-sections" pt="md" px={20}>
        <RequestForms />
      </Tabs.Panel>
      <Tabs.Panel value="feedback" className="customer-sections" pt="md" px={20}>
        <FeedbackList />
      </Tabs.Panel>
    </Tabs>
  )
}
