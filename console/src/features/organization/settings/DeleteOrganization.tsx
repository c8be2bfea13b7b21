import { Anchor, Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { settingsMessages } from "./messages.ts"

const makingPollMilliseconds = 2_000

/** For owners: an archive of everything first, then the end of the organization. Both ask for the password. */
export function DeleteOrganization() {
  const t = useMessages(settingsMessages)
  const { isOwner, organization } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!isOwner) return null
  return (
    <Stack gap="xs" mt="xl" align="flex-start">
      <Text size="sm" className="quiet">
        {t("deleteOrganizationText")}
      </Text>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("deleteOrganization")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t("deleteOrganizationTitle", { name: organization.name })}
      >
        <DeleteDialog onCancel={() => setOpen(false)} />
      </Modal>
    </Stack>
  )
}

function DeleteDialog({ onCancel }: { onCancel(): void }) {
  const t = useMessages(settingsMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const [password, setPassword] = useState("")
  const archive = useQuery({
    queryKey: ["organization-archive"],
    queryFn: ({ signal }) =>
      dataOf(
        server.get("/api/v3/organization/{organizationId}/archive", {
          organizationId: organization.id,
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === "making" ? makingPollMilliseconds : false),
  })
  const make = useAction(
    () =>
      server.post("/api/v3/organization/{organizationId}/archive", {
        organizationId: organization.id,
        body: { password },
      }),
    { onDone: () => archive.refetch() },
  )
  const remove = useAction(
    () =>
      server.delete("/api/v3/organization/{organizationId}", {
        organizationId: organization.id,
        body: { password },
      }),
    { onDone: () => window.location.assign("/") },
  )
  const made = archive.data
  const isMaking = make.isPending || made?.status === "making"
  return (
    <Stack gap="sm">
      <Text size="sm">{t("archiveText")}</Text>
      <PasswordInput
        label={t("yourPassword")}
        autoComplete="current-password"
        data-autofocus
        {...bindText(password, setPassword)}
      />
      {made?.link ? (
        <Anchor href={made.link} download size="sm">
          {t("archiveDownload", {
            when: formats.dateTime(made.completedTime ?? made.requestedTime),
            size: formats.bytes(made.bytes ?? 0),
          })}
        </Anchor>
      ) : null}
      {made?.status === "failed" ? (
        <Text size="sm" c="red">
          {t("archiveFailed")}
        </Text>
      ) : null}
      <FormError error={make.error ?? remove.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button
          variant="default"
          loading={isMaking}
          disabled={password === ""}
          onClick={() => {
            remove.reset()
            make.mutate()
          }}
        >
          {t("archiveMake")}
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          disabled={password === "" || isMaking}
          onClick={() => {
            make.reset()
            remove.mutate()
          }}
        >
          {t("deleteForGood")}
        </Button>
      </Group>
    </Stack>
  )
}
