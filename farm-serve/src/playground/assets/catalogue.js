// What the start page tells of each game: theme, difficulty from 1 to 3, minutes, what happens and what one learns, in English and French.

/** The themes, in order. */
export const THEMES = {
  water: ["Water", "Eau"],
  nitrogen: ["Nitrogen", "Azote"],
  pests: ["Weeds and pests", "Adventices et ravageurs"],
  dates: ["Weather and dates", "Météo et dates"],
  several: ["Several plots and crops", "Plusieurs parcelles et cultures"],
  looks: ["Looks with a price", "Regards payants"],
  maps: ["Map games", "Jeux de carte"],
};

const entry = (theme, level, minutes, plant, about, learns) => ({ theme, level, minutes, plant, about, learns });

export const GAMES = {
  clay_bean: entry("water", 1, 10, "bloom", ["Water a shallow clay field through a dry summer.", "Arroser une argile peu profonde pendant un été sec."], ["Irrigation, reading a forecast", "Irrigation, lire une prévision"]),
  dry_corn: entry("water", 2, 10, "leaves", ["Corn on sand in a steppe, where water is dear and showers come.", "Du maïs sur sable dans une steppe, avec une eau chère et des averses."], ["Water before rain is lost", "L’eau donnée avant la pluie se perd"]),
  water_only: entry("water", 2, 10, "leaves", ["Rains may fail, sand dries fast, and you work every five days.", "Les pluies manquent, le sable sèche vite, et vous travaillez tous les cinq jours."], ["Planning to the next working day", "Prévoir jusqu’au prochain jour de travail"]),
  water_budget: entry("water", 2, 10, "bloom", ["Beans on clay with a limit on water.", "Des haricots sur argile avec une limite d’eau."], ["Water where it counts most", "L’eau là où elle compte"]),
  paddy_rice: entry("water", 2, 15, "leaves", ["Keep the soil wet between the rains of the monsoon.", "Garder le sol mouillé entre les pluies de la mousson."], ["Water for rice", "L’eau pour le riz"]),
  tomato_beds: entry("dates", 2, 15, "pods", ["Four beds of early tomatoes, and a fleece against frost.", "Quatre planches de tomates précoces et un voile contre le gel."], ["Frost, fleece and forecast", "Gel, voile et prévision"]),
  nitrate_leaching: entry("nitrogen", 2, 10, "leaves", ["Feed corn on sand before the rain washes it out.", "Nourrir du maïs sur sable avant que la pluie ne lessive."], ["Nitrogen and leaching", "Azote et lessivage"]),
  nitrate_limit: entry("nitrogen", 2, 10, "leaves", ["Beans on poor sand, with a limit on what is washed out.", "Des haricots sur sable pauvre, avec une limite de lessivage."], ["Profit and a limit", "Profit et limite"]),
  winter_wheat: entry("nitrogen", 2, 15, "ripe", ["Feed wheat through a wet winter.", "Nourrir du blé pendant un hiver humide."], ["Timing of fertiliser", "Moment de l’engrais"]),
  weeds_only: entry("pests", 1, 10, "leaves", ["Beans among weeds: hoe, spray, or let them stand.", "Des haricots parmi les adventices : biner, traiter ou laisser."], ["When weeds cost money", "Quand les adventices coûtent"]),
  pests_and_pollinators: entry("pests", 2, 10, "bloom", ["What kills beetles keeps bees away.", "Ce qui tue les coléoptères éloigne les abeilles."], ["Pests, flowers and bees", "Ravageurs, fleurs et abeilles"]),
  potato_blight: entry("pests", 3, 15, "leaves", ["A disease that shows when it is too late to prevent it.", "Une maladie visible quand il est trop tard pour la prévenir."], ["Acting before you see it", "Agir avant de voir"]),
  farm0: entry("dates", 1, 10, "bloom", ["One plot of beans on sand in Lille.", "Une parcelle de haricots sur sable à Lille."], ["Water and patience", "Eau et patience"]),
  farm1: entry("pests", 2, 10, "bloom", ["One plot of beans with weeds, pests and bees.", "Une parcelle de haricots avec adventices, ravageurs et abeilles."], ["Trade-offs", "Compromis"]),
  early_potato: entry("dates", 2, 10, "leaves", ["Potatoes in a cool spring: early ones grow longer, and a fleece saves them from frost.", "Des pommes de terre au printemps : semées tôt, et un voile contre le gel."], ["Frost and a forecast", "Gel et prévision"]),
  northern_soybean: entry("dates", 3, 15, "pods", ["Soybeans at the cold edge of where they ripen.", "Du soja à la limite froide de sa maturité."], ["Cultivars and a wet autumn", "Variétés et automne humide"]),
  hay_meadow: entry("dates", 2, 15, "leaves", ["Mow lucerne before dry days, and bale it before the rain.", "Faucher la luzerne avant des jours secs et la presser avant la pluie."], ["Reading a forecast", "Lire une prévision"]),
  grain_store: entry("dates", 3, 15, "ripe", ["Sell wheat from a barn at prices that change every day.", "Vendre du blé d’une grange à des prix qui changent."], ["When to sell", "Quand vendre"]),
  full_farm: entry("several", 2, 15, "bloom", ["Sow, water, feed, hoe and spray. Birds are watching.", "Semer, arroser, nourrir, biner et traiter. Les oiseaux guettent."], ["Everything together", "Tout ensemble"]),
  full_farm_4x3: entry("several", 3, 20, "bloom", ["The full farm on twelve plots, with four jobs a day.", "La ferme entière sur douze parcelles, avec quatre travaux par jour."], ["Order of work", "Ordre du travail"]),
  full_farm_10x10: entry("several", 3, 30, "bloom", ["A hundred plots, and no day is long enough.", "Cent parcelles, et aucun jour n’est assez long."], ["Priorities", "Priorités"]),
  full_farm_20x20: entry("several", 3, 30, "bloom", ["Four hundred plots, and no day is long enough.", "Quatre cents parcelles, et aucun jour n’est assez long."], ["Priorities", "Priorités"]),
  mixed_crops: entry("several", 3, 20, "pods", ["Six plots and three crops in one season.", "Six parcelles et trois cultures en une saison."], ["What to sow after what", "Que semer après quoi"]),
  two_fields: entry("several", 3, 20, "bloom", ["Beans on loam, potatoes on sand, two pairs of hands.", "Haricots sur limon, pommes de terre sur sable, deux paires de mains."], ["Sharing work", "Partager le travail"]),
  costly_clay_bean: entry("looks", 3, 15, "bloom", ["Clay beans where each look at the field costs money.", "Des haricots où chaque regard sur le champ coûte."], ["What information is worth", "Ce que vaut l’information"]),
  costly_full_farm: entry("looks", 3, 20, "bloom", ["The full farm where only the weather is free to see.", "La ferme entière où seule la météo se voit gratuitement."], ["What information is worth", "Ce que vaut l’information"]),
  walking_farmer: entry("maps", 3, 20, "leaves", ["A farmer who walks, carries water, and sees little.", "Un agriculteur qui marche, porte l’eau et voit peu."], ["Planning a way", "Planifier un chemin"]),
  valley_farm_easy: entry("maps", 1, 5, "", ["A small valley with fields, animals and neighbours.", "Une petite vallée avec champs, animaux et voisins."], ["A plan for 50 steps", "Un plan pour 50 pas"]),
  valley_farm: entry("maps", 2, 10, "", ["A valley with fields, animals, neighbours and a market.", "Une vallée avec champs, animaux, voisins et marché."], ["A plan for 50 steps", "Un plan pour 50 pas"]),
  valley_farm_hard: entry("maps", 3, 15, "", ["A valley with rocks, of which you see three tiles.", "Une vallée avec des rochers, dont vous voyez trois cases."], ["Finding and remembering", "Trouver et retenir"]),
  backwards_valley_easy: entry("maps", 1, 5, "", ["A small farm where neglect helps and care hurts.", "Une petite ferme où négliger aide et soigner nuit."], ["Testing a hypothesis", "Tester une hypothèse"]),
  backwards_valley: entry("maps", 2, 5, "", ["Neglect helps and care hurts. Find out why in 40 steps.", "Négliger aide et soigner nuit. Trouvez pourquoi en 40 pas."], ["Testing a hypothesis", "Tester une hypothèse"]),
  backwards_valley_hard: entry("maps", 3, 15, "", ["The same, scattered among walls and fences.", "La même, dispersée entre murs et clôtures."], ["Finding and remembering", "Trouver et retenir"]),
};
