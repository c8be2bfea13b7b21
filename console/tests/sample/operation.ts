import { demoApi } from "../../../server/demo/api.ts"
import { openCity } from "../../../server/demo/city.ts"
import { seedDemo } from "../../../server/demo/seed.ts"
import { newestMail } from "../../../server/testing/read-mail.ts"
import type { Person, Stage } from "../stage.ts"
import { sampleExtensions } from "./extensions.ts"
import { samplePlaces } from "./places.ts"
import { invited, nightDesk, sampleWork } from "./work.ts"

/** What the pages of tests and screenshots open: ids of one thing of each kind. */
export interface SampleOperation {
  flowId: string
  /** A finished task with photos and a signature. */
  taskId: string
  /** A task of the field user that is still open. */
  openTaskId: string
  dataTypeId: string
  importId: string
  automationId: string
  webhookId: string
  pluginId: string
  vehicleId: string
  equipmentId: string
  moduleId: string
  resultId: string
  /** A field user who moved on `day`, and their credentials. */
  personId: string
  day: string
  fieldUser: Person
  planner: Person
  /** A user whose role requires a code by e-mail. */
  nightDesk: Person
  /** Of a pending invitation. */
  invitationCode: string
}

export type Call = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>

export interface Entry {
  _id: string
  name: string
}

/** The demo's day of a courier company, with a morning already behind it and one of each thing that has a page. */
export async function sampleOperation(stage: Stage): Promise<SampleOperation> {
  const token = await stage.tokenOf(stage.owner.email, stage.owner.password)
  const call: Call = <Answer>(method: string, path: string, body?: unknown) =>
    stage.call(token, method, path, body) as Promise<Answer>
  const owner = demoApi(stage.address, token)
  const workers = await seedDemo(owner, Temporal.Now.instant())
  const work = await sampleWork({ stage, token, call, workers })
  const [places, extensions] = await Promise.all([
    samplePlaces({ stage, token, call, workers, city: await openCity(owner) }),
    sampleExtensions({ stage, token, call, workers, work }),
  ])
  const users = await call<{ data: { _id: string; email: string }[] }>("GET", "/users?limit=-1")
  const [fleet, equipment] = await Promise.all(
    ["/fleet?limit=1", "/equipment?limit=1"].map((path) => call<{ data: Entry[] }>("GET", path)),
  )
  const courier = workers[0]
  if (!courier) throw new Error("the demo made no workers")
  return {
    ...work,
    ...places,
    ...extensions,
    vehicleId: fleet?.data[0]?._id ?? "",
    equipmentId: equipment?.data[0]?._id ?? "",
    personId: users.data.find(({ email }) => email === courier.email)?._id ?? "",
    fieldUser: { email: courier.email, password: courier.password },
    nightDesk,
    invitationCode: await codeOfInvitation(stage),
    planner: { email: "dispatch-1@demo.fieldway.example", password: courier.password },
  }
}

async function codeOfInvitation({ sql }: Stage): Promise<string> {
  const mail = await newestMail(sql, invited)
  return /code=(\w+)/.exec(mail?.text ?? "")?.[1] ?? ""
}
