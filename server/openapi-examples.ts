/** Ids in the examples. The test that sends the examples replaces them by the ids of what it created. */
export const exampleIds = {
  hub: "6a01c0ffee5de0b4a7710c01",
  role: "6a01c0ffee5de0b4a7710c02",
  task: "6a01c0ffee5de0b4a7710c03",
  dataType: "6a01c0ffee5de0b4a7710c04",
  flow: "6a01c0ffee5de0b4a7710c05",
} as const

const worker = "courier@example.test"

/**
 * Request bodies by operation, in an order in which they can be sent to a new organization that has the default flows.
 * A test sends them all.
 */
export const requestExamples: Record<string, unknown> = {
  createHub: { name: "Harbour depot", address: "Quay 1, Lisbon", lat: 38.7036, lng: -9.1795 },
  createTeam: { name: "Morning shift", hubId: exampleIds.hub },
  createUser: {
    name: "Courier",
    email: worker,
    password: "correct-Horse-7-battery",
    roleId: exampleIds.role,
    hubId: [exampleIds.hub],
  },
  createTask: {
    flow: "Delivery",
    hubId: exampleIds.hub,
    refId: "order-4711",
    startTime: "2031-05-04 08:00:00",
    endTime: "2031-05-04 12:00:00",
    receiverName: "Harbour Books",
    deliveryAddress: "Rua do Cais 7, Lisbon",
    deliveryPoint: "38.7071,-9.1355",
  },
  assignTask: { assignee: [worker] },
  patchTask: { note: "Ring twice" },
  createTasks: {
    tasks: [
      { flow: "Delivery", hubId: exampleIds.hub, refId: "order-4712", receiverName: "Mill Bakery" },
      { flow: "Delivery", hubId: exampleIds.hub, refId: "order-4713", receiverName: "Canal Pharmacy" },
    ],
  },
  createLocation: { email: worker, lat: 38.7101, lon: -9.1402, speed: 7.5 },
  createLocations: {
    location_histories: [
      { email: worker, lat: 38.7102, lon: -9.1404 },
      { email: worker, lat: 38.7104, lon: -9.1409 },
    ],
  },
  createVehicle: {
    hubId: exampleIds.hub,
    name: "Van 1",
    speed: 35,
    capacity: { weight: { min: 0, max: 799.5 } },
  },
  createDataType: {
    name: "Customers",
    fields: [
      { id: "dataId", title: "Customer number", type: "text", primaryKey: true, required: true },
      { id: "customerName", title: "Name", type: "text", required: true },
    ],
  },
  createRecord: {
    dataId: "C-100",
    dataTypeId: exampleIds.dataType,
    hubId: exampleIds.hub,
    customerName: "Harbour Books",
  },
  createAutomation: {
    name: "Notify the warehouse",
    event: "onTaskFinished",
    automationType: "webhook",
    automationDetails: { url: "https://warehouse.example/hooks/tasks", signature: true },
    rules: { flow: "Delivery", flowId: exampleIds.flow },
  },
  createToken: { name: "Warehouse", expires_at: "2031-12-31 23:59:59", scopes: ["view/task", "add/task"] },
  exportTasks: { download: "csv", flow: "Delivery", status: "ONGOING" },
}
