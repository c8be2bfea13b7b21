import { type ErrorTable, errorCatalogue } from "../../errors.ts"

/** What the last three digits mean in every module, where the module's own table says nothing else. */
const commonCodes = [
  ["001", "a required value is missing"],
  ["003", "a value, parameter or key is invalid"],
  ["004", "not an e-mail address"],
  ["007", "not a URL"],
  ["008", "not a date or time"],
  ["009", "not a number, or out of range"],
  ["010", "not true or false"],
  ["011", "not an array"],
  ["013", "not an object, or not JSON"],
  ["016", "not text, too long, or contains characters that cannot be stored"],
  ["017", "not one of the allowed values"],
  ["018", "not a time of day"],
  ["033", "does not exist, or is not visible to the caller"],
  ["035", "the role lacks the permission"],
  ["040", "too many or too large"],
  ["045", "a server error, or a required service is unavailable"],
] as const

/** Every `failedCode` as a page of Markdown, from the tables of errors. */
export function renderErrorCatalogue(tables: readonly ErrorTable[]): string {
  const rows = errorCatalogue(tables).map(
    ({ failedCode, http, message }) => `| \`${failedCode}\` | ${http} | ${message.replaceAll("|", "\\|")} |`,
  )
  return `# Error codes

Each error has \`status: false\`, a \`message\` for people, and a \`failedCode\` for programs: the module and three digits. One code may
stand for several problems of its module; \`errors\` names the fields. This page is generated from the tables of errors
(\`npm run generate\`).

## Common to all modules

| Digits | Meaning |
|---|---|
${commonCodes.map(([digits, meaning]) => `| \`${digits}\` | ${meaning} |`).join("\n")}

## By code

| \`failedCode\` | Status | Meaning |
|---|---|---|
${rows.join("\n")}
`
}
