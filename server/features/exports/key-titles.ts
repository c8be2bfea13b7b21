/** Titles of keys of tasks and records where splitting the key into words would not read well. */
const english: Readonly<Record<string, string>> = {
  _id: "ID",
  flowId: "Flow ID",
  hubId: "Hub ID",
  organizationId: "Organization ID",
  refId: "Reference",
  routingResultId: "Routing Result ID",
  assignedVehicle: "Vehicle",
  assignedVehicleId: "Vehicle ID",
  assignedTo: "Assigned To",
  parentId: "Parent ID",
  parentTaskId: "Parent Task ID",
  idLocal: "Local ID",
  eta: "ETA",
  etd: "ETD",
  dataTypeName: "Data Type",
}

const indonesian: Readonly<Record<string, string>> = {
  _id: "ID",
  flow: "Alur",
  flowId: "ID Alur",
  hub: "Hub",
  hubId: "ID Hub",
  title: "Judul",
  content: "Isi",
  label: "Label",
  status: "Status",
  startTime: "Waktu Mulai",
  endTime: "Waktu Selesai",
  createdTime: "Waktu Dibuat",
  createdBy: "Dibuat Oleh",
  createdFrom: "Dibuat Dari",
  updatedTime: "Waktu Diubah",
  updatedBy: "Diubah Oleh",
  assignee: "Penerima Tugas",
  assignedTo: "Ditugaskan Kepada",
  assignedBy: "Ditugaskan Oleh",
  assignedTime: "Waktu Penugasan",
  doneBy: "Diselesaikan Oleh",
  doneTime: "Waktu Penyelesaian",
  doneCoordinate: "Koordinat Penyelesaian",
  expectedCoordinate: "Koordinat Tujuan",
  distance: "Jarak",
  travelDuration: "Durasi Perjalanan",
  duration: "Durasi",
  waitingTime: "Waktu Tunggu",
  assignedVehicle: "Kendaraan",
  routePlannedOrder: "Urutan Rute",
  visitGroup: "Grup Kunjungan",
  visitGroupPriority: "Prioritas Grup Kunjungan",
  orderIndex: "Urutan",
  refId: "Referensi",
  taskType: "Jenis Tugas",
  appVersion: "Versi Aplikasi",
  deviceInformation: "Informasi Perangkat",
  organizationId: "ID Organisasi",
  openTaskTime: "Waktu Tugas Dibuka",
  assignedVehicleId: "ID Kendaraan",
  createdCoordinate: "Koordinat Pembuatan",
  doneFrom: "Diselesaikan Dari",
  expectedDoneTime: "Perkiraan Waktu Penyelesaian",
  geoLock: "Kunci Lokasi",
  geoLockTrigger: "Pemicu Kunci Lokasi",
  useGeoLock: "Pakai Kunci Lokasi",
  idLocal: "ID Lokal",
  idleDuration: "Durasi Diam",
  syncedTime: "Waktu Sinkronisasi",
  routingResultId: "ID Hasil Rute",
  parentTaskId: "ID Tugas Asal",
  parentId: "ID Induk",
  subId: "ID Subtugas",
  isDeleted: "Dihapus",
  useVisitGroup: "Pakai Grup Kunjungan",
  workflow: "Alur Kerja",
  histories: "Riwayat",
  limitUser: "Batas Pengguna",
  dataTypeName: "Jenis Data",
}

/** Languages that have titles of their own; Malay reads the Indonesian ones. Everything else is English. */
const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = { id: indonesian, ms: indonesian }

/** The title of a key in the organization's language: `startTime` is `Start Time`. */
export function keyTitle(key: string, language: string): string {
  const own = titles[language.toLowerCase().split("-")[0] ?? ""]?.[key]
  return own ?? english[key] ?? words(key)
}

function words(key: string): string {
  const spaced = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ")
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
