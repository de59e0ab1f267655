"""Nouns by kind: what they can do and what can be done to them.

A row reads ``english french gender``; a slash gives an irregular plural, an underscore joins words.
Only the first of several French words takes the plural: ``salles de bain``.
"""

NOUNS = {
    "person": """
        boy garçon m; girl fille f; man/men homme m; woman/women femme f; child/children enfant m; teacher professeur m;
        student étudiant m; doctor médecin m; nurse infirmière f; farmer fermier m; baker boulanger m; king roi m;
        queen reine f; soldier soldat m; writer écrivain m; lawyer avocat m; painter peintre m; actress actrice f;
        dancer danseuse f; hero/heroes héros m; minister ministre m; mayor maire m; engineer ingénieur m;
        tourist touriste m; worker ouvrier m; lady dame f""",
    "kin": """
        mother mère f; father père m; sister sœur f; brother frère m; uncle oncle m; aunt tante f;
        grandmother grand-mère f; friend ami m; neighbour voisin m; wife/wives épouse f; cousin cousin m""",
    "animal": """
        dog chien m; cat chat m; horse cheval m; bird oiseau m; cow vache f; mouse/mice souris f; rabbit lapin m;
        wolf/wolves loup m; owl hibou/hiboux m; bear ours m; elephant éléphant m; goat chèvre f""",
    "food": """
        apple pomme f; pear poire f; cake gâteau m; egg œuf m; orange orange f; carrot carotte f;
        potato/potatoes pomme_de_terre f; strawberry fraise f; onion oignon m; bean haricot m""",
    "stuff": """
        bread pain m; cheese fromage m; meat viande f; chocolate chocolat m; rice riz m; honey miel m""",
    "drink": """
        water eau f; milk lait m; coffee café m; tea thé m; wine vin m""",
    "text": """
        book livre m; letter lettre f; newspaper journal m; story histoire f; song chanson f; poem poème m""",
    "thing": """
        key clé f; table table f; chair chaise f; lamp lampe f; painting tableau m; phone téléphone m;
        computer ordinateur m; umbrella parapluie m; bag sac m; box boîte f; bottle bouteille f;
        knife/knives couteau m; clock horloge f; tool outil m; gift cadeau m;
        toy jouet m; flower fleur f; sword épée f; jewel bijou/bijoux m""",
    "clothes": """
        hat chapeau m; shirt chemise f; dress robe f; coat manteau m; shoe chaussure f""",
    "vehicle": """
        car voiture f; bicycle vélo m; boat bateau m; train train m; plane avion m""",
    "place": """
        house maison f; garden jardin m; forest forêt f; kitchen cuisine f;
        bathroom salle_de_bain f; dining_room salle_à_manger f; shop magasin m; farm ferme f; factory usine f;
        tower tour f""",
    "town": """
        city ville f; village village m; capital capitale f""",
    "goal": """
        school école f; beach plage f; museum musée m; train_station gare f; hospital hôpital m;
        hotel hôtel m; restaurant restaurant m; library bibliothèque f; theatre théâtre m; church église f;
        university université f; airport aéroport m; park parc m; castle château m""",
    "part": """
        door porte f; window fenêtre f; roof toit m; wall mur m; entrance entrée f""",
    "body": """
        government gouvernement m; committee comité m; company entreprise f; bank banque f; council conseil m;
        parliament parlement m; agency agence f; union union f; army armée f; team équipe f""",
    "theme": """
        policy politique f; law loi f; report rapport m; decision décision f; agreement accord m;
        project projet m; programme programme m;
        system système m; reform réforme f; plan plan m; treaty traité m; strategy stratégie f; idea idée f;
        proposal proposition f; model modèle m""",
    "trouble": """
        area zone f; crisis/crises crise f; problem problème m; situation situation f; market marché m""",
    "event": """
        debate débat m; meeting réunion f; election élection f; conference conférence f; exhibition exposition f""",
}

NAMES = "paul m; thomas m; antoine m; louis m; marie f; anna f; alice f; julie f"

CITIES = "paris paris; london londres; rome rome; berlin berlin; brussels bruxelles; athens athènes; vienna vienne"

COUNTRIES = """france en france; germany en allemagne; italy en italie; spain en espagne; canada au canada;
    japan au japon; the_united_states aux états-unis"""

COMPOUNDS = """history book; music book; history teacher; music teacher; village school; village church;
    beach hotel; chocolate cake; strawberry cake; wine bottle; milk bottle"""
