import { defineMessages } from "../../i18n/messages.ts"

export const publicMessages = defineMessages({
  en: {
    gone: "There is nothing to show here",
    onItsWay: "On its way",
    waiting: "Planned",
    lastSeen: "Last seen {ago}",
    noPosition: "There is no position yet. This page updates automatically.",
    destination: "Destination",
    history: "What happened",
    refreshed: "Updates automatically",
    call: "Call {name}: {number}",
    mapLabel: "Map",
    sharedTitle: "Last known position",
    nothingYet: "No position was sent on that day.",
  },
  id: {
    gone: "Tidak ada yang dapat ditampilkan",
    onItsWay: "Dalam perjalanan",
    waiting: "Direncanakan",
    lastSeen: "Terakhir terlihat {ago}",
    noPosition: "Belum ada posisi. Halaman ini diperbarui secara otomatis.",
    destination: "Tujuan",
    history: "Yang terjadi",
    refreshed: "Diperbarui otomatis",
    call: "Telepon {name}: {number}",
    mapLabel: "Peta",
    sharedTitle: "Posisi terakhir yang diketahui",
    nothingYet: "Tidak ada posisi yang dikirim pada hari itu.",
  },
})
