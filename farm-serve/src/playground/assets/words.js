// The words of the page, in English and French, and numbers, money and dates in both.

import { CLASS } from "/class-words.js";

/** English and French, by key. `{…}` is filled in. A list has the text for one and for several. */
export const TEXTS = {
  skip: ["Skip to the game", "Aller au jeu"],
  menu: ["Games", "Jeux"],
  details: ["Details", "Détails"],
  season: ["Season", "Saison"],
  theme: ["Switch between light and dark", "Passer du clair au sombre"],
  language: ["EN. Switch to French", "FR. Passer à l’anglais"],
  // Start card
  goal: ["Goal.", "But."],
  ends: ["The season ends", "La saison se termine"],
  when: ["when {what}", "quand {what}"],
  or: ["or", "ou"],
  money: ["Money.", "Argent."],
  sales: ["The harvest sells at {sales}.", "La récolte se vend {sales}."],
  labour: ["Work costs: {list}.", "Le travail coûte : {list}."],
  work: ["Work.", "Travail."],
  jobsADay: [["You can do {n} job a day.", "You can do {n} jobs a day."], ["Vous pouvez faire {n} travail par jour.", "Vous pouvez faire {n} travaux par jour."]],
  startsOn: ["The season starts on {date}.", "La saison commence le {date}."],
  land: ["Land.", "Terre."],
  plotsOf: [["{n} plot of {area} m²", "{n} plots of {area} m² each"], ["{n} parcelle de {area} m²", "{n} parcelles de {area} m² chacune"]],
  start: ["Start the season", "Commencer la saison"],
  watchExpert: ["Watch the expert", "Regarder l’expert"],
  change: ["Change the game", "Modifier le jeu"],
  tapHint: ["Tap plots, choose a job, then a day.", "Touchez des parcelles, choisissez un travail, puis un jour."],
  kOne: ["one day", "un jour"],
  kUntil: ["until something happens", "jusqu’au prochain événement"],
  kConfirm: ["confirm a job", "confirmer un travail"],
  kUndo: ["undo", "annuler"],
  kHint: ["hint", "indice"],
  // Play
  day: ["day {n}", "jour {n}"],
  today: ["Today", "Auj."],
  dryDay: ["dry", "sec"],
  forecast: ["Rain: today, and the forecast of the next days", "Pluie : aujourd’hui et prévisions des prochains jours"],
  soFar: ["money so far", "gagné jusqu’ici"],
  track: ["Stages so far. The season ends after {n} days at the latest.", "Stades jusqu’ici. La saison finit après {n} jours au plus tard."],
  selectPlots: ["Select plots", "Choisir des parcelles"],
  select: ["Select:", "Choisir :"],
  allDry: ["All dry", "Sèches"],
  all: ["All", "Toutes"],
  asYesterday: ["As yesterday", "Comme hier"],
  none: ["None", "Aucune"],
  fieldRegion: ["Field", "Champ"],
  jobsRegion: ["Jobs", "Travaux"],
  timeRegion: ["Time", "Temps"],
  fieldSize: ["{columns} columns by {rows} rows", "{columns} colonnes sur {rows} rangées"],
  plot: ["Plot {name}", "Parcelle {name}"],
  dry: ["dry", "sèche"],
  ripe: ["ripe", "mûre"],
  water: ["{water} of {capacity} mm soil water", "{water} sur {capacity} mm d’eau du sol"],
  ofMm: ["{water} of {capacity} mm", "{water} sur {capacity} mm"],
  selected: [["Plot {name}", "{n} plots selected"], ["Parcelle {name}", "{n} parcelles choisies"]],
  noPlot: ["No plot selected", "Aucune parcelle choisie"],
  choosePlots: ["Select plots in the field, or “All dry”.", "Choisissez des parcelles, ou « Sèches »."],
  wilting: ["wilting point 0", "flétrissement 0"],
  capacity: ["field capacity {mm}", "capacité au champ {mm}"],
  limited: [["{what} limits growth in {n} of these plots today.", "{what} limits growth in {n} of these plots today."],
    ["Facteur limitant aujourd’hui dans {n} de ces parcelles : {what}.", "Facteur limitant aujourd’hui dans {n} de ces parcelles : {what}."]],
  noLimit: ["Nothing limits growth in these plots today.", "Rien ne limite la croissance dans ces parcelles aujourd’hui."],
  seasonSoFar: ["Season so far", "La saison"],
  open: ["open", "ouvrir"],
  seeds: ["seeds", "graines"],
  dosePerPlot: ["Dose per plot", "Dose par parcelle"],
  hint: ["Hint", "Indice"],
  selectFirst: ["Select plots first", "Choisissez d’abord des parcelles"],
  order: ["{job}{where}{dose}: {cost}{days}", "{job}{where}{dose} : {cost}{days}"],
  onPlots: [[" {n} plot", " {n} plots"], [" {n} parcelle", " {n} parcelles"]],
  orderDays: [["", ", {n} days"], ["", ", {n} jours"]],
  closed: ["{job} is closed: {reason}.", "{job} : fermé. Raison : {reason}."],
  closedOn: ["{job} is not possible on these plots today.", "{job} : impossible sur ces parcelles aujourd’hui."],
  limitADay: [["At most {n} a day; the rest fills the next days.", "At most {n} a day; the rest fills the next days."],
    ["Au plus {n} par jour ; le reste occupe les jours suivants.", "Au plus {n} par jour ; le reste occupe les jours suivants."]],
  undo: ["Undo", "Annuler"],
  branches: ["Branches", "Branches"],
  oneDay: ["One day", "Un jour"],
  until: ["Until something happens", "Jusqu’au prochain événement"],
  days: [["{n} day", "{n} days"], ["{n} jour", "{n} jours"]],
  atStart: ["This is the start.", "C’est le début."],
  noLater: ["There is no later day.", "Il n’y a pas de jour suivant."],
  overNow: ["The season is over. Undo goes back.", "La saison est finie. Annuler revient en arrière."],
  noPolicy: ["This game has no expert.", "Ce jeu n’a pas d’expert."],
  hintSays: ["The expert would do now: {what}. Y does it.", "L’expert ferait maintenant : {what}. Y le fait."],
  hintNothing: ["The expert would do nothing now. Y lets the day pass.", "L’expert ne ferait rien maintenant. Y laisse passer le jour."],
  noHint: ["There is no hint. Press ? for one.", "Pas d’indice. Appuyez sur ? pour en demander un."],
  noKey: ["The key {key} does nothing here.", "La touche {key} ne fait rien ici."],
  undone: ["Back to {date}.", "Retour au {date}."],
  rejected: ["Nothing was changed. {why}", "Rien n’a changé. {why}"],
  // What happened
  stopped: ["Stopped on {date}: {what}.", "Arrêt le {date} : {what}."],
  isNow: ["{date}: {what}.", "{date} : {what}."],
  newsOver: ["the season is over", "la saison est finie"],
  newsDry: [["plot {plots} is dry", "{n} plots are dry ({plots})"], ["la parcelle {plots} est sèche", "{n} parcelles sont sèches ({plots})"]],
  newsStage: [["plot {plots} is now: {stage}", "{n} plots are now: {stage}"], ["parcelle {plots} : {stage}", "{n} parcelles : {stage}"]],
  newsRipe: [["plot {plots} is ripe", "{n} plots are ripe"], ["la parcelle {plots} est mûre", "{n} parcelles sont mûres"]],
  newsPests: ["{n} pests on a plot", "{n} ravageurs sur une parcelle"],
  newsFrost: ["frost of {n} °C is forecast for tomorrow", "un gel de {n} °C est prévu demain"],
  newsRain: ["{n} mm of rain are forecast for tomorrow", "{n} mm de pluie sont prévus demain"],
  newsFailed: [["{job} was not possible on plot {plots}", "{job} was not possible on {n} plots ({plots})"],
    ["{job} : impossible sur la parcelle {plots}", "{job} : impossible sur {n} parcelles ({plots})"]],
  newsQuiet: ["nothing happened for {n} days", "rien ne s’est passé pendant {n} jours"],
  quietDay: ["nothing new", "rien de nouveau"],
  // End card
  overOn: ["{date}, the season is over: {reason}.", "{date}, la saison est finie : {reason}."],
  youEarned: ["You earned", "Vous avez gagné"],
  theyEarned: ["{who} earned", "{who} a gagné"],
  sold: ["{money} harvest sold", "{money} de récolte vendue"],
  spent: ["{money} supplies and work", "{money} de fournitures et travail"],
  harvest: ["Harvest", "Récolte"],
  plotsHarvested: ["Plots harvested", "Parcelles récoltées"],
  irrigation: ["Irrigation", "Irrigation"],
  jobs: ["Jobs", "Travaux"],
  ofPlots: ["{n} of {all}", "{n} sur {all}"],
  sameWeather: ["The same weather, other farmers", "La même météo, d’autres agriculteurs"],
  you: ["you", "vous"],
  expert: ["expert", "expert"],
  best_known: ["best known policy", "meilleure stratégie connue"],
  searched: ["policy from a search", "stratégie d’une recherche"],
  random: ["random", "au hasard"],
  costMost: ["What cost you most", "Ce qui a coûté le plus"],
  curveDoc: ["What “{who}” still earns if it takes over your farm on that day", "Ce que gagne encore « {who} » s’il reprend votre ferme ce jour-là"],
  computing: ["Computing what was lost…", "Calcul de ce qui a été perdu…"],
  noLoss: ["The curve never falls: no money was lost.", "La courbe ne baisse jamais : rien n’a été perdu."],
  noHeir: ["This game has no expert to compare with.", "Ce jeu n’a pas d’expert pour comparer."],
  curveName: ["The amount goes from {from} on {first} to {to} at the end.", "Le montant va de {from} le {first} à {to} à la fin."],
  causeRipe: [["{n} ripe plot was not harvested", "{n} ripe plots were not harvested"], ["{n} parcelle mûre non récoltée", "{n} parcelles mûres non récoltées"]],
  causeLimited: ["Growth limited by {what}, on up to {n} plots", "Croissance limitée : {what}, sur {n} parcelles au plus"],
  causeChoice: ["The expert would have acted differently", "L’expert aurait agi autrement"],
  fromTo: ["{from} to {to}", "du {from} au {to}"],
  show: ["Show", "Voir"],
  showIn: ["Show {when} in the season chart", "Voir {when} dans le graphique"],
  playAgain: ["Play again from {date}", "Rejouer à partir du {date}"],
  newWeather: ["New weather", "Autre météo"],
  seasonChart: ["Season chart", "Graphique de la saison"],
  share: ["Share", "Partager"],
  // Season chart
  back: ["Back", "Retour"],
  compare: ["Compare: {who}", "Comparer : {who}"],
  readHelp: ["Point, tap or use the arrow keys to read a day", "Pointez, touchez ou utilisez les flèches pour lire un jour"],
  chartName: ["Season chart, {from} to {to}. Arrow keys read one day, Page keys one week.", "Graphique de la saison, du {from} au {to}. Les flèches lisent un jour, les touches Page une semaine."],
  rain: ["Rain", "Pluie"],
  soilWater: ["Soil water", "Eau du sol"],
  moneyRow: ["Money", "Argent"],
  mmDay: ["mm/day", "mm/jour"],
  jobsRow: ["jobs", "travaux"],
  playHere: ["Play again from here", "Rejouer à partir d’ici"],
  quantity: ["Quantity", "Grandeur"],
  wholeSeason: ["The whole season", "Toute la saison"],
  asTable: ["As a table", "En tableau"],
  ...CLASS,
  meansOf: [["The curve shows {n} plot.", "The curves are means of {n} plots."], ["La courbe montre {n} parcelle.", "Les courbes sont des moyennes de {n} parcelles."]],
};

/** Verbs for jobs, by the part's label and the action, or by the action. Others have the label of the game. */
const JOBS = {
  water_discrete: ["Water", "Arroser"],
  water_continuous: ["Water", "Arroser"],
  micro_harvest: ["Harvest", "Récolter"],
  harvest: ["Harvest all", "Tout récolter"],
  sow: ["Sow", "Semer"],
  "Weeds.remove": ["Weed", "Désherber"],
  "Plant.remove": ["Remove plants", "Arracher"],
  "Fertilizer.scatter": ["Fertilise", "Fertiliser"],
  "Herbicide.scatter": ["Spray weeds", "Traiter les adventices"],
  "Insecticide.scatter": ["Spray insects", "Traiter les insectes"],
  "Fungicide.scatter": ["Spray fungi", "Traiter les champignons"],
};

/** The signs of jobs. */
const SIGNS = {
  water_discrete: "drop", water_continuous: "drop", micro_harvest: "basket", harvest: "basket", sow: "seedbag", remove: "hoe", scatter: "spray", scatter_bag: "spray",
};
/** The keys of jobs, as far as they are free. */
const KEYS = { water_discrete: "w", water_continuous: "w", micro_harvest: "h", sow: "s", "Weeds.remove": "e", "Fertilizer.scatter": "f", "Herbicide.scatter": "i", "Insecticide.scatter": "p", "Fungicide.scatter": "g", harvest: "j" };

export const language = { code: localStorage.getItem("language") ?? (navigator.language.startsWith("fr") ? "fr" : "en") };

export function switchLanguage() {
  language.code = language.code === "en" ? "fr" : "en";
  localStorage.setItem("language", language.code);
}

const chosen = (pair) => pair[language.code === "fr" ? 1 : 0];

/** A text of the page. `n` chooses between one and several. */
export function text(key, values = {}) {
  const found = chosen(TEXTS[key] ?? [key, key]);
  const one = Array.isArray(found) ? found[Math.abs(values.n) < 2 ? 0 : 1] : found;
  return one.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** A text of the server, which has both languages. */
export const words = (both) => both[language.code] ?? both.en;

const of = (table, job) => table[`${job.part}.${job.action}`] ?? table[job.action];
/** The name of a job: a verb. */
export const jobName = (job) => { const own = of(JOBS, job); return own ? chosen(own) : words(job.label); };
export const jobSign = (job) => of(SIGNS, job) ?? "hand";
export const jobKey = (job) => of(KEYS, job);

const locale = () => (language.code === "fr" ? "fr-FR" : "en-IE");
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value).replace("-", "−");

/** An amount in the game's currency; points without one. */
export function money(value, currency) {
  const shown = Math.abs(value) < 0.005 ? 0 : value;
  const options = currency === "€" ? { style: "currency", currency: "EUR" } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const made = new Intl.NumberFormat(locale(), options).format(shown).replace("-", "−");
  return currency && currency !== "€" ? `${made} ${currency}` : made;
}

/** A date from the day of the year (0 is 1 January) of a year without 29 February. */
export function dateOf(day, month = "long") {
  const form = new Intl.DateTimeFormat(language.code === "fr" ? "fr-FR" : "en-GB", { day: "numeric", month, timeZone: "UTC" });
  return form.format(new Date(Date.UTC(2021, 0, 1 + (((day % 365) + 365) % 365))));
}
