import { costOfErrors, deletionsOf, errorsBetween } from "./spelling.ts"

/**
 * Words that are written short and long, each line one meaning, short form first. Names and queries are reduced to the
 * short form, so a form that means two things (`st`: street, saint) only has to be the same on both sides.
 */
const forms = `
av avenida avda avd ave avenue aven avinguda
bvar bulevar boulevard blvd bv bvr bvard boul
st street saint str strasse sankt straat sint
rd road
ln lane
dr drive doctor dra doctora doktor
ct court
sq square
hwy highway
pkwy parkway
ter terrace
pl place platz plaza pza plza placa plac
cres crescent
rte route ruta rta
cno camino cmno
rbla rambla ramblas
pje pasaje psje passage psge
cl calle
cra carrera
jr jiron
gral general gen gnral
cnel coronel col
cap capitan cptn captain
tte teniente lt
sgto sargento
cte comandante comte
alte almirante
mcal mariscal
brig brigadier
ing ingeniero ingeniera
arq arquitecto arquitecta
prof profesor profesora professor
pte presidente pdte president
gdor gobernador gob
mtro maestro maestra mtra
lic licenciado
mons monsenor
pbro presbitero
fco francisco
sta santa
sto santo
sr senor
sra senora
hno hermano
hnos hermanos
vv viuda
jl jalan jln
gg gang
ul ulica ulitsa ulice ulitza
pr prospekt prosp
per pereulok
n north norte nord norden
s south sur sud sul
e east este est
w west oeste ouest
ne northeast noreste nordeste
nw northwest noroeste
se southeast sureste sudeste
sw southwest suroeste sudoeste
mt mount
ft fort
mte monte
cda cerrada
col colonia
urb urbanizacion
esq esquina
ул улица
пр проспект просп
пер переулок
пл площадь
ш шоссе
б бульвар бул
наб набережная
ش شارع
`

const pairs = forms
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [short = "", ...long] = line.split(" ")
    return [short, ...long].map((form) => [form, short] as const)
  })
// Of a form that is in two lines, the first counts.
const shortForms: ReadonlyMap<string, string> = new Map(pairs.toReversed())
const minCorrectedForm = 5
/** Long forms by what remains of them without one character: for those with a typing error. */
const misspelled: ReadonlyMap<string, readonly (readonly [rest: string, form: string])[]> = Map.groupBy(
  [...shortForms.keys()]
    .filter((form) => form.length >= minCorrectedForm)
    .flatMap((form) => deletionsOf(form).map((rest) => [rest, form] as const)),
  ([rest]) => rest,
)

export const shortForm = (word: string) => shortForms.get(word) ?? word

const minBeginning = 3
const costOfBeginning = 0.1

/** Short forms of words that may be meant, with their costs: a typing error costs as much as in any other word. */
export function intendedForms(word: string, isOpen: boolean): Map<string, number> {
  const found = new Map<string, number>()
  if (shortForms.has(word)) return found
  const note = (form: string, cost: number) => {
    const short = shortForm(form)
    found.set(short, Math.min(cost, found.get(short) ?? 1))
  }
  for (const rest of deletionsOf(word))
    for (const [, form] of misspelled.get(rest) ?? [])
      if (errorsBetween(word, form, 1) <= 1) note(form, costOfErrors(word, form, 1))
  if (isOpen && word.length >= minBeginning)
    for (const form of shortForms.keys()) if (form.startsWith(word)) note(form, costOfBeginning)
  return found
}

/** Words that say little: people leave them out or add them. */
const generic = new Set(
  [
    "av bvar st rd ln ct sq hwy pkwy pl rte cno rbla pje cl cra jr jl gg ul pr per weg gasse rue via viale corso rua",
    "de del la el los las le les du des da do dos das di van der den the of y e and und et i no nro numero km",
    "ул пр пер пл ш б наб г д дом al ال ش",
  ]
    .join(" ")
    .split(" "),
)

export const isGeneric = (word: string) => generic.has(word)
