import { Anchor, Button, Checkbox, Group, Select, Stack, TextInput } from "@mantine/core"
import { Link, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { CountrySelect } from "../../people/memberships/CountrySelect.tsx"
import { consoleHeader, useEnter } from "../../people/sessions/enter.ts"
import { SignInFrame } from "../../people/sessions/SignInFrame.tsx"
import { onboardingMessages } from "./messages.ts"

/** The ready-made flows that the server offers, by its names for them. */
const defaultFlows = [
  "Delivery",
  "Pickup",
  "Field Sales",
  "Field Canvassing",
  "Home Cleaning",
  "House Inspection",
]

/** Where the link of the confirmation mail leads: what the organization is called and starts with. */
export function VerifyPage() {
  const t = useMessages(onboardingMessages)
  const { email, code } = useSearch({ from: paths.verify })
  if (!email || !code)
    return (
      <SignInFrame title={t("verifyTitle")}>
        <p role="alert">{t("badLink")}</p>
        <Anchor component={Link} to={paths.signIn} size="sm">
          {t("signIn")}
        </Anchor>
      </SignInFrame>
    )
  return (
    <SignInFrame title={t("verifyTitle")} isWide>
      <SetUpForm email={email} code={code} />
    </SignInFrame>
  )
}

function SetUpForm({ email, code }: { email: string; code: string }) {
  const t = useMessages(onboardingMessages)
  const { language } = useLanguage()
  const enter = useEnter()
  const [facts, setFacts] = useState({
    companyName: "",
    name: "",
    phoneNumber: "",
    industry: "",
    position: "",
    numberOfUsers: "small",
  })
  const [country, setCountry] = useState<string | null>(null)
  const [timeZone, setTimeZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC")
  const [flows, setFlows] = useState<string[]>(["Delivery"])
  const setUp = useAction(async () => {
    const numberOfUsers = t(facts.numberOfUsers as "small")
    const body = {
      ...facts,
      numberOfUsers,
      email,
      activationCode: code,
      timeZone,
      flows,
      // To who reads English, a country brings its own language.
      ...(country ? { country } : {}),
      ...(country && language === "en" ? {} : { language }),
    }
    await server.put("/api/v3/account", { body, headers: consoleHeader })
    await enter()
  })
  const text = (key: "companyName" | "name" | "phoneNumber" | "industry" | "position", label: string) => (
    <TextInput
      label={label}
      required
      withAsterisk={false}
      maxLength={200}
      {...bindText(facts[key], (text) => setFacts({ ...facts, [key]: text }))}
    />
  )
  return (
    <Form onSubmit={() => setUp.mutate()}>
      <Stack gap="sm">
        <p className="quiet">{t("verifyText", { email })}</p>
        {text("companyName", t("companyName"))}
        <Group grow align="start">
          <CountrySelect value={country} onChange={setCountry} />
          {text("industry", t("industry"))}
        </Group>
        <Select
          label={t("timeZone")}
          description={t("timeZoneHint")}
          searchable
          allowDeselect={false}
          data={[...new Set(["UTC", timeZone, ...Intl.supportedValuesOf("timeZone")])]}
          value={timeZone}
          onChange={(value) => setTimeZone(value ?? "UTC")}
        />
        <Group grow align="start">
          {text("name", t("name"))}
          {text("position", t("position"))}
        </Group>
        <Group grow align="start">
          {text("phoneNumber", t("phone"))}
          <Select
            label={t("users")}
            data={(["small", "medium", "large", "huge"] as const).map((value) => ({
              value,
              label: t(value),
            }))}
            value={facts.numberOfUsers}
            onChange={(value) => setFacts({ ...facts, numberOfUsers: value ?? "small" })}
          />
        </Group>
        <Checkbox.Group label={t("flows")} description={t("flowsHint")} value={flows} onChange={setFlows}>
          <Group gap="xs" mt={8}>
            {defaultFlows.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
        <FormError error={setUp.error} />
        <Button type="submit" size="md" mt="xs" loading={setUp.isPending}>
          {t("start")}
        </Button>
        <Anchor component={Link} to={paths.signIn} size="sm">
          {t("signIn")}
        </Anchor>
      </Stack>
    </Form>
  )
}
