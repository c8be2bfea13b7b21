import { defineMessages } from "../../../i18n/messages.ts"

export const hubMessages = defineMessages({
  en: {
    title: "Hubs",
    count: "{count} hub|{count} hubs",
    add: "Add hub",
    addTitle: "New hub",
    editTitle: "Change hub",
    pick: "Click on the map where the hub is",
    picked: "Drag the pin or click again to move it",
    namePlaceholder: "Depot north",
    address: "Address",
    save: "Save hub",
    saved: "Hub “{name}” is saved",
    removed: "Hub “{name}” is deleted",
    removeTitle: "Delete hub “{name}”?",
    removeText: "Its open tasks are deleted too. The hub stays in the trash for 30 days.",
    emptyTitle: "No hubs yet",
    emptyText:
      "A hub is a depot, branch or office. Tasks and people belong to hubs. Click on the map to place the first one.",
    mapLabel: "Map of the hubs",
  },
  id: {
    title: "Hub",
    count: "{count} hub",
    add: "Tambah hub",
    addTitle: "Hub baru",
    editTitle: "Ubah hub",
    pick: "Klik pada peta di lokasi hub",
    picked: "Seret pin atau klik lagi untuk memindahkannya",
    namePlaceholder: "Depo utara",
    address: "Alamat",
    save: "Simpan hub",
    saved: "Hub “{name}” tersimpan",
    removed: "Hub “{name}” dihapus",
    removeTitle: "Hapus hub “{name}”?",
    removeText: "Tugas terbukanya juga dihapus. Hub ini tetap di tempat sampah selama 30 hari.",
    emptyTitle: "Belum ada hub",
    emptyText:
      "Hub adalah depo, cabang, atau kantor. Tugas dan orang termasuk dalam hub. Klik pada peta untuk menempatkan yang pertama.",
    mapLabel: "Peta hub",
  },
})
