import { defineMessages } from "../../i18n/messages.ts"

export const placeMessages = defineMessages({
  en: {
    address: "Address, coordinates or map link",
    coordinate: "Coordinates or map link",
    here: "Use my position",
    hereFailed: "This device does not tell its position",
    showMap: "Choose on the map",
    hideMap: "Hide the map",
    mapLabel: "Map to choose the place",
    chosen: "Chosen place",
    choose: "Choose a suggestion, or click the map",
    nothing: "No address found. Paste coordinates or click the map",
    failed: "The search failed. Paste coordinates or click the map",
    noAddresses:
      "Type latitude,longitude, paste a map link, or click the map. An administrator can add addresses under Settings › Maps.",
  },
  id: {
    address: "Alamat, koordinat, atau tautan peta",
    coordinate: "Koordinat atau tautan peta",
    here: "Pakai posisi saya",
    hereFailed: "Perangkat ini tidak memberi tahu posisinya",
    showMap: "Pilih di peta",
    hideMap: "Sembunyikan peta",
    mapLabel: "Peta untuk memilih tempat",
    chosen: "Tempat terpilih",
    choose: "Pilih saran, atau klik peta",
    nothing: "Alamat tidak ditemukan. Tempel koordinat atau klik peta",
    failed: "Pencarian gagal. Tempel koordinat atau klik peta",
    noAddresses:
      "Ketik lintang,bujur, tempel tautan peta, atau klik peta. Administrator dapat menambahkan alamat di Pengaturan › Peta.",
  },
})
