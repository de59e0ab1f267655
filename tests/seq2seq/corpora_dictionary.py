"""A dictionary written by hand, apart from the grammar's own lexicon, to judge the grammar's links.

A content entry reads ``english words = beginnings of the french words``; the regular endings of English are added.
A function entry reads ``english word = french words``.
"""

CONTENT = """
boy=garçon; girl=fille; man men=homme; woman women=femme; child children=enfant; teacher=professeur; student=étudiant;
doctor=médecin; nurse=infirmière; farmer=fermier; baker=boulanger; king=roi; queen=reine; soldier=soldat;
writer=écrivain; lawyer=avocat; painter=peintre; actress=actrice; dancer=danseuse; hero heroes=héros;
minister=ministre; mayor=maire; engineer=ingénieur; tourist=touriste; worker=ouvrier; lady=dame; mother=mère;
father=père; sister=sœur; brother=frère; uncle=oncle; aunt=tante; grandmother=grand-mère,grands-mères; friend=ami;
neighbour=voisin; wife wives=épouse; cousin=cousin; dog=chien; cat=chat; horse=cheval,chevaux; bird=oiseau; cow=vache;
mouse mice=souris; rabbit=lapin; wolf wolves=loup; owl=hibou; bear=ours; elephant=éléphant; goat=chèvre; apple=pomme;
pear=poire; cake=gâteau; egg=œuf; orange=orange; carrot=carotte; potato potatoes=pomme,terre; strawberry=fraise;
onion=oignon; bean=haricot; bread=pain; cheese=fromage; meat=viande; chocolate=chocolat; rice=riz; honey=miel;
water=eau; milk=lait; coffee=café; tea=thé; wine=vin; book=livre; letter=lettre; newspaper=journal,journaux;
story=histoire; song=chanson; poem=poème; key=clé; table=table; chair=chaise; lamp=lampe; painting=tableau;
phone=téléphone; computer=ordinateur; umbrella=parapluie; bag=sac; box=boîte; bottle=bouteille; knife knives=couteau;
clock=horloge; tool=outil; gift=cadeau; toy=jouet; flower=fleur; sword=épée; jewel=bijou; hat=chapeau; shirt=chemise;
dress=robe; coat=manteau; shoe=chaussure; car=voiture; bicycle=vélo; boat=bateau; train=train,gare; plane=avion;
house=maison; garden=jardin; city=ville; village=village; capital=capitale; forest=forêt; kitchen=cuisine;
bathroom=salle,bain; dining=salle,manger,à; room=salle,manger,à; shop=magasin; farm=ferme; factory=usine; tower=tour;
school=école; market=marché; beach=plage; museum=musée; station=gare; hospital=hôpita; hotel=hôtel;
restaurant=restaurant; library=bibliothèque; theatre=théâtre; church=église; university=université; airport=aéroport;
park=parc; castle=château; door=porte; window=fenêtre; roof=toit; wall=mur; entrance=entrée; government=gouvernement;
committee=comité; company=entreprise; bank=banque; council=conseil; parliament=parlement; agency=agence; union=union;
army=armée; team=équipe; area=zone; policy=politique; law=loi; report=rapport; decision=décision; agreement=accord;
crisis crises=crise; problem=problème; project=projet; programme=programme; debate=débat; system=système;
reform=réforme; plan=plan; treaty=traité; strategy=stratégie; idea=idée; proposal=proposition; model=modèle;
situation=situation; meeting=réunion; election=élection; conference=conférence; exhibition=exposition;
history=histoire; music=musique; paul=paul; thomas=thomas; antoine=antoine; louis=louis; marie=marie; anna=anna;
alice=alice; julie=julie; paris=paris; london=londres; rome=rome; berlin=berlin; brussels=bruxelles; athens=athènes;
vienna=vienne; france=france; germany=allemagne; italy=italie; spain=espagne; canada=canada; japan=japon;
united=états-unis; states=états-unis; old=vieux,vieille,vieil; older=plus,vieux,vieille; young=jeune;
younger=plus,jeune; beautiful=beau,bel,belle,beaux; good=bon; big=grand; bigger=plus,grand; small=petit;
smaller=plus,petit; bad=mauvais; pretty=joli; prettier=plus,joli; new=nouveau,nouvel,nouvelle;
newer=plus,nouveau,nouvel; long=long; longer=plus,long; rich=riche; richer=plus,riche; poor=pauvre;
poorer=plus,pauvre; intelligent=intelligent; famous=célèbre; honest=honnête; shy=timide; brave=courageu; polite=poli;
funny=drôle; sad=triste; happy=heureu; tired=fatigué; sick=malade; strong=fort; stronger=plus,fort; calm=calme;
curious=curieu; lazy=paresseu; free=libre; dangerous=dangereu; white=blanc; black=noir; fast=rapide;
faster=plus,rapide; fresh=frais,fraîche; delicious=délicieu; cold=froid; hot=chaud; interesting=intéressant;
strange=étrange; red=rouge; blue=bleu; green=vert; yellow=jaune; expensive=cher,chère; modern=moderne; rare=rare;
dirty=sale; clean=propre; heavy=lourd; heavier=plus,lourd; broken=cassé; empty=vide; useful=utile; quiet=tranquille;
dark=sombre; open=ouvert; powerful=puissant; independent=indépendant; important=important; difficult=difficile;
necessary=nécessaire; complex=complexe; ambitious=ambitieu; clear=clair; economic=économique; political=politique;
social=socia; financial=financi; military=militaire; industrial=industriel; cultural=culturel; agricultural=agricole;
legal=juridique; european=européen; french=français; american=américain; international=internationa; national=nationa;
german=allemand; regional=régiona; local=loca; hungry=faim; thirsty=soif; right=raison; sleepy=sommeil; afraid=peur;
eat ate eaten=mang; drink drank=b,buv; see saw seen seeing=voi,voy,voient,vu,ver; buy bought=ach; sell sold=vend; find
found=trouv; lose lost=perd; open=ouvr,ouvert; close=ferm; write wrote written=écri; wash=lav; carry=port;
repair=répar; build built=constru; paint=pein,peign; draw drew drawn=dessin; break broke broken=cass; choose chose
chosen=chois; hide hid=cach; use=utilis; visit=visit; leave left=quitt; love=aim; hate=détest; meet met=rencontr;
help=aid; invite=invit; watch=regard; look=cherch; wait=attend; listen=écout; call=appel; follow=suiv,sui;
thank=remerci; know knew=conn; understand understood=compr; admire=admir; protect=prot; forget forgot
forgetting=oubli; want=voul,veu,voudr; have has had=a,eu,ont; accept=accept; reject=rejet; criticise=critiqu;
support=soutien,souten; propose=propos; study=étudi; finance=financ; organise=organis; prepare=prépar; sleep
slept=dor; sing sang=chant; dance=dans; work=travaill; run ran running=cour; laugh=ri; cry=pleur; smile=souri; swim
swam swimming=nag; play=jou; walk=march; travel travelled travelling=voyag; stay=rest; arrive=arriv; fall fell=tomb;
go goes went going=v,all,ir,sor,so; out=sor; come came=reven,revien; back=reven,revien; rest=se,s',me,nous,vous,repos;
get gets got getting=se,s',me,nous,vous,l; up=se,s',me,nous,vous,l; return=retourn; give gave=donn; show=montr; send
sent=envo; lend lent=prêt; offer=offr,offer; explain=expliqu; answer=répond,à,au; obey=obéi,à,au; talk=parl; think
thought=pens; take took=particip; part=particip; dream=rêv; need=a,eu,ont,besoin,d'; remember=se,s',souv; say said=di;
believe=cr,cro; hope=esp; try=essa; like=aim; decide=décid; refuse=refus; begin began=commen; learn=appr; day=jour;
evening=soir; morning=matin; afternoon=après-midi; week=semaine; year=an,année; month=mois; now=maintenant;
today=aujourd'hui; yesterday=hier; tomorrow=demain; soon=bientôt; often=souvent; always=toujours; sometimes=parfois;
rarely=rarement; however=cependant; unfortunately=malheureusement; course=bien,sûr; example=exemple;
last=dernière,dernier,la,l',le; next=prochaine,prochain,la,l',le; ago=il,y,a; two=deux; three=trois; four=quatre;
five=cinq; ten=dix;
"""

PARTICLES = {"for": ("cherch", "attend"), "to": ("écout",)}  # look for, wait for, listen to
PROFESSIONS = "professeur étudiant médecin infirmière fermier boulanger soldat écrivain avocat peintre actrice danseuse"
PROFESSIONS += " ministre maire ingénieur ouvrier"
ARTICLES = "le la les l' du des au aux un une de d'"
AUXILIARIES = "ai a avons avez ont est sont suis sommes êtes"  # of the passé composé

FUNCTION = """
the=états-unis le la les l' du des au aux; a=un une de d' quelques; an=un une de d'; some=de d' du des la l'; any=de
d' des du la l'; this=ce cet cette; these=ces; my=mon ma mes; his=son sa ses; her=son sa ses la l' lui; our=notre nos;
your=votre vos; their=leur leurs; every=chaque; many=beaucoup de d'; several=plusieurs; few=quelques; all=tous toutes;
whose=dont le la l' les; very=très; and=et; but=mais; so=donc; because=parce que qu'; when=quand; if=si s'; even=même;
that=que qu' qui; who=qui; whom=que qu'; where=où; than=que qu'; more=plus; less=moins; as=aussi que qu'; in=devant
dans à en au aux le l'; near=près de d' du des; behind=derrière; front=devant; of=de d' du des devant bien sûr; next=à
côté de d' du des; to=côté de du des à au aux en de d' lui leur me m' nous vous; with=avec; without=sans; for=pour
par; by=par; not=ne n' pas; never=ne n' jamais; no=ne n' plus; longer=ne n' plus; there=il y; i=je j'; we=nous;
you=vous; he=il; she=elle; it=il elle; they=ils elles; him=le l' lui; them=les leur; me=me m'; us=nous; can=peut peux
peuvent pouvons pouvez; cannot=ne n' pas peut peux peuvent pouvons pouvez; could=pouvait pouvais pouvions pouviez
pouvaient; must=doit dois doivent devons devez; 's=de d' du des le la l' les au aux; ,=,; .=.; ;=;; about=de d' du des
à au aux
"""


def inflected(word: str) -> set[str]:
    """A word with the regular endings of English."""
    forms = {word, word + "s", word + "es", word + "ed", word + "d", word + "ing"}
    if word.endswith("e"):
        forms.add(word[:-1] + "ing")
    if word.endswith("y"):
        forms |= {word[:-1] + "ies", word[:-1] + "ied"}
    return forms


def read_content() -> dict[str, set[str]]:
    """English word form → beginnings of its French forms."""
    table: dict[str, set[str]] = {}
    for entry in CONTENT.replace("\n", " ").split(";"):
        if entry.strip():
            english, french = entry.split("=")
            for word in english.split():
                for form in inflected(word):
                    table.setdefault(form, set()).update(french.strip().split(","))
    return table


def read_function() -> dict[str, set[str]]:
    """English function word → its French forms."""
    table: dict[str, set[str]] = {";": {";"}}
    for entry in FUNCTION.replace("\n", " ").split("; "):
        english, _, french = entry.strip().partition("=")
        if french:
            table.setdefault(english, set()).update(french.rstrip(";").split())
    return table
