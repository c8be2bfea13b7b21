/** Countries as hubs and organizations show them; phone codes by ITU-T E.164, codes by ISO 3166-1. */
interface Country {
  code: string
  alpha2Code: string
  name: string
  phoneCode: string
  language: string
  languageName: string
}

const table: readonly [string, string, string, string, string, string][] = [
  ["AUS", "AU", "Australia", "+61", "en", "English"],
  ["IDN", "ID", "Indonesia", "+62", "id", "Bahasa Indonesia"],
  ["JPN", "JP", "Japan", "+81", "jp", "日本語"],
  ["MYS", "MY", "Malaysia", "+60", "ms", "Bahasa Melayu"],
  ["NZL", "NZ", "New Zealand", "+64", "en", "English"],
  ["PHL", "PH", "Philippines", "+63", "tl", "Filipino"],
  ["SGP", "SG", "Singapore", "+65", "en", "English"],
  ["THA", "TH", "Thailand", "+66", "th", "ไทย"],
  ["USA", "US", "United States", "+1", "en", "English"],
  ["VNM", "VN", "Vietnam", "+84", "vi", "Tiếng Việt"],
]

/** The other countries and territories: ISO 3166-1 alpha-3 and alpha-2, calling code. ICU has the rest. */
const others = `
  ABW AW 297, AFG AF 93, AGO AO 244, AIA AI 1264, ALA AX 358, ALB AL 355, AND AD 376, ARE AE 971, ARG AR 54,
  ARM AM 374, ASM AS 1684, ATG AG 1268, AUT AT 43, AZE AZ 994, BDI BI 257, BEL BE 32, BEN BJ 229, BES BQ 599,
  BFA BF 226, BGD BD 880, BGR BG 359, BHR BH 973, BHS BS 1242, BIH BA 387, BLM BL 590, BLR BY 375, BLZ BZ 501,
  BMU BM 1441, BOL BO 591, BRA BR 55, BRB BB 1246, BRN BN 673, BTN BT 975, BWA BW 267, CAF CF 236, CAN CA 1,
  CCK CC 61, CHE CH 41, CHL CL 56, CHN CN 86, CIV CI 225, CMR CM 237, COD CD 243, COG CG 242, COK CK 682, COL CO 57,
  COM KM 269, CPV CV 238, CRI CR 506, CUB CU 53, CUW CW 599, CXR CX 61, CYM KY 1345, CYP CY 357, CZE CZ 420,
  DEU DE 49, DJI DJ 253, DMA DM 1767, DNK DK 45, DOM DO 1, DZA DZ 213, ECU EC 593, EGY EG 20, ERI ER 291, ESH EH 212,
  ESP ES 34, EST EE 372, ETH ET 251, FIN FI 358, FJI FJ 679, FLK FK 500, FRA FR 33, FRO FO 298, FSM FM 691,
  GAB GA 241, GBR GB 44, GEO GE 995, GGY GG 44, GHA GH 233, GIB GI 350, GIN GN 224, GLP GP 590, GMB GM 220,
  GNB GW 245, GNQ GQ 240, GRC GR 30, GRD GD 1473, GRL GL 299, GTM GT 502, GUF GF 594, GUM GU 1671, GUY GY 592,
  HKG HK 852, HND HN 504, HRV HR 385, HTI HT 509, HUN HU 36, IMN IM 44, IND IN 91, IOT IO 246, IRL IE 353, IRN IR 98,
  IRQ IQ 964, ISL IS 354, ISR IL 972, ITA IT 39, JAM JM 1876, JEY JE 44, JOR JO 962, KAZ KZ 7, KEN KE 254,
  KGZ KG 996, KHM KH 855, KIR KI 686, KNA KN 1869, KOR KR 82, KWT KW 965, LAO LA 856, LBN LB 961, LBR LR 231,
  LBY LY 218, LCA LC 1758, LIE LI 423, LKA LK 94, LSO LS 266, LTU LT 370, LUX LU 352, LVA LV 371, MAC MO 853,
  MAF MF 590, MAR MA 212, MCO MC 377, MDA MD 373, MDG MG 261, MDV MV 960, MEX MX 52, MHL MH 692, MKD MK 389,
  MLI ML 223, MLT MT 356, MMR MM 95, MNE ME 382, MNG MN 976, MNP MP 1670, MOZ MZ 258, MRT MR 222, MSR MS 1664,
  MTQ MQ 596, MUS MU 230, MWI MW 265, MYT YT 262, NAM NA 264, NCL NC 687, NER NE 227, NFK NF 672, NGA NG 234,
  NIC NI 505, NIU NU 683, NLD NL 31, NOR NO 47, NPL NP 977, NRU NR 674, OMN OM 968, PAK PK 92, PAN PA 507, PER PE 51,
  PLW PW 680, PNG PG 675, POL PL 48, PRI PR 1, PRK KP 850, PRT PT 351, PRY PY 595, PSE PS 970, PYF PF 689,
  QAT QA 974, REU RE 262, ROU RO 40, RUS RU 7, RWA RW 250, SAU SA 966, SDN SD 249, SEN SN 221, SHN SH 290, SJM SJ 47,
  SLB SB 677, SLE SL 232, SLV SV 503, SMR SM 378, SOM SO 252, SPM PM 508, SRB RS 381, SSD SS 211, STP ST 239,
  SUR SR 597, SVK SK 421, SVN SI 386, SWE SE 46, SWZ SZ 268, SXM SX 1721, SYC SC 248, SYR SY 963, TCA TC 1649,
  TCD TD 235, TGO TG 228, TJK TJ 992, TKL TK 690, TKM TM 993, TLS TL 670, TON TO 676, TTO TT 1868, TUN TN 216,
  TUR TR 90, TUV TV 688, TWN TW 886, TZA TZ 255, UGA UG 256, UKR UA 380, URY UY 598, UZB UZ 998, VAT VA 39,
  VCT VC 1784, VEN VE 58, VGB VG 1284, VIR VI 1340, VUT VU 678, WLF WF 681, WSM WS 685, XKX XK 383, YEM YE 967,
  ZAF ZA 27, ZMB ZM 260, ZWE ZW 263`

const codesOf = new Map<string, [alpha2Code: string, callingCode: string]>(
  others.split(",").map((entry) => {
    const [code = "", alpha2Code = "", callingCode = ""] = entry.trim().split(" ")
    return [code, [alpha2Code, callingCode]]
  }),
)
const byCode = new Map<string, Country>(
  table.map(([code, alpha2Code, name, phoneCode, language, languageName]) => [
    code,
    { code, alpha2Code, name, phoneCode, language, languageName },
  ]),
)

/** Countries outside the table are made when first asked for: reading all of ICU's names takes long. */
function findCountry(code: string): Country | undefined {
  const codes = codesOf.get(code)
  if (codes && !byCode.has(code)) byCode.set(code, readCountry(code, ...codes))
  return byCode.get(code)
}

function readCountry(code: string, alpha2Code: string, callingCode: string): Country {
  const { language } = new Intl.Locale(`und-${alpha2Code}`).maximize()
  return {
    code,
    alpha2Code,
    name: new Intl.DisplayNames("en", { type: "region" }).of(alpha2Code) ?? code,
    phoneCode: `+${callingCode}`,
    language,
    languageName: new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language,
  }
}

/** The wire's country object. A code that no country has is kept, with what is not known left out. */
export function toWireCountry(code: string | null) {
  if (code === null) return null
  const known = findCountry(code)
  if (!known) return { code, name: code }
  return { ...known, isActive: true, enableLanguage: known.language !== "en" }
}

export function countryLanguage(code: string | null): string {
  return code === "IDN" ? "id" : "en"
}
